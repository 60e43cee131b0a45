import type { About } from "./about";

export const about: Record<string, About> = {
  "deep-sea": {
    aim: "Plongez le long d’une ligne de jetons, ramassez ce que vous pouvez et rapportez-le au sous-marin. Plus un jeton est loin, plus il vaut cher.",
    turn: [
      "Respirez : tout le monde partage la même réserve d’air, et chaque jeton que vous tenez la fait baisser de 1.",
      "Lancez deux dés et nagez d’autant de cases, moins une par jeton tenu. Vous pouvez faire demi-tour une fois.",
      "Prenez le jeton de la case où vous vous arrêtez, sans savoir ce qu’il vaut, ou laissez-le.",
    ],
    fear: "Quand il n’y a plus d’air, ceux qui sont encore dehors perdent tout ce qu’ils tiennent. Et plus on prend de jetons, plus vite l’air s’épuise.",
    end: "Après trois manches, le joueur qui a le plus de points gagne.",
  },
  "the-island": {
    aim: "Menez vos explorateurs de l’île qui s’enfonce aux îles sûres, dans les coins. Chacun a une valeur de 1 à 6, et vous seul savez lesquels des vôtres valent le plus.",
    turn: [
      "Si vous avez une tuile en main, vous pouvez la jouer : un dauphin porte l’un de vos nageurs, un vent pousse l’un de vos bateaux.",
      "Déplacez-vous : vous avez trois points pour vos explorateurs et pour les bateaux, à pied, à bord ou à la nage.",
      "Retirez une tuile : les plages d’abord, puis les forêts, puis les montagnes. Ce qu’elle cache se produit aussitôt, ou vous le gardez en main.",
      "Lancez le dé et, si vous le souhaitez, déplacez une créature de cette espèce contre les autres.",
    ],
    fear: "Les requins dévorent les nageurs, les baleines font chavirer les bateaux occupés, les serpents emportent les deux. Et seul le joueur qui a le plus d’explorateurs à bord peut déplacer un bateau.",
    end: "Une montagne cache le volcan : quand il entre en éruption, la partie s’arrête, et seuls comptent les explorateurs qui sont sur les îles sûres.",
  },
  atlantis: {
    aim: "Menez votre tribu de l’Atlantide aux îles de Corail, dans les coins, avant que l’île ne soit engloutie.",
    turn: [
      "Déplacez-vous : vous avez trois points pour les vôtres et pour les bateaux. Un nageur qui se trouve sur la même case qu’un dauphin peut partir sur son dos.",
      "Engloutissez un morceau de l’île : les plaines d’abord, puis les collines, puis les montagnes. C’est vous qui décidez où vont ceux qui s’y trouvent.",
      "Lancez la roulette : elle désigne un animal, et vous pouvez en déplacer un de cette espèce.",
    ],
    fear: "Les requins dévorent les nageurs, les poulpes coulent les bateaux occupés, les monstres marins emportent tout, et un tourbillon vide la mer autour de lui.",
    end: "La partie s’arrête dès qu’une tribu n’a plus personne sur l’île ni en mer. Le joueur qui a sauvé le plus d’Atlantes sur les îles de Corail gagne.",
  },
  "mauna-kea": {
    aim: "Le volcan entre en éruption. Ramassez des artéfacts sur l’île et emportez-les en bateau avant l’arrivée de la lave.",
    turn: [
      "Utilisez chacune de vos tuiles une fois : posez-la pour tracer un chemin, ou dépensez ses points.",
      "Déplacez-vous avec ces points : la jungle coûte 1, un lac 2, et on ne franchit pas les montagnes. Ramassez des artéfacts en chemin.",
      "Piochez de nouvelles tuiles. Si vous piochez de la lave, elle coule aussitôt.",
    ],
    fear: "La lave descend du volcan et recouvre une case après l’autre. Les explorateurs qui se trouvent sur une case recouverte sont perdus.",
    end: "La fin vient quand un joueur n’a plus d’explorateur sur l’île. Les explorateurs et les artéfacts que vous avez sauvés rapportent des points, et chaque place vide de vos bateaux en coûte 1.",
  },
};
