import type { About } from "./about";

export const about: Record<string, About> = {
  "deep-sea": {
    aim: "Plongez le long d’une ligne de ruines, ramassez ce que vous pouvez et rapportez-le au sous-marin. Plus c’est loin, plus cela vaut cher.",
    turn: [
      "Respirez : tout le monde partage la même réserve d’air, et chaque chose que vous tenez la fait baisser de 1.",
      "Lancez deux dés et nagez d’autant, moins un pas par chose tenue. On peut faire demi-tour une fois.",
      "Prenez ce qui se trouve là où vous vous arrêtez, sans savoir ce que cela vaut, ou laissez-le.",
    ],
    fear: "Quand il n’y a plus d’air, ceux qui sont encore dehors perdent tout ce qu’ils tiennent. Et plus on se charge, plus vite il s’épuise.",
    end: "Après trois manches, le plus grand total de points gagne.",
  },
  "the-island": {
    aim: "Menez vos explorateurs de l’île qui s’enfonce aux îles sûres, dans les coins. Chacun porte un trésor, et vous seul savez qui porte le plus gros.",
    turn: [
      "Déplacez-vous : trois points pour vos explorateurs et pour les bateaux, à pied, à bord ou à la nage.",
      "Retirez une tuile, les plages d’abord, puis les forêts, puis les montagnes. Ce qu’elle cache arrive aussitôt, ou vous le gardez.",
      "Lancez le dé et, si cela vous arrange, déplacez une créature de cette espèce contre les autres.",
    ],
    fear: "Les requins dévorent les nageurs, les baleines font chavirer les bateaux, les serpents emportent les deux. Et un bateau obéit à qui a le plus d’explorateurs à bord.",
    end: "Une montagne cache le volcan : quand il entre en éruption, seuls comptent ceux qui sont sur les îles sûres.",
  },
  atlantis: {
    aim: "Menez votre tribu hors de l’Atlantide avant qu’elle ne soit engloutie, jusqu’aux îles de Corail, dans les coins.",
    turn: [
      "Déplacez-vous : trois points pour les vôtres et pour les bateaux. Un nageur qui est avec un dauphin peut partir sur son dos.",
      "Engloutissez un morceau de l’île : les plaines d’abord, puis les collines, puis les montagnes. C’est vous qui dites où vont ceux qui s’y trouvent.",
      "Lancez la roulette : elle nomme un animal, et vous pouvez en déplacer un de cette espèce.",
    ],
    fear: "Les requins dévorent les nageurs, les poulpes coulent les bateaux, les monstres marins emportent tout, et un tourbillon vide la mer autour de lui.",
    end: "Dès qu’une tribu n’a plus personne sur l’île ni en mer, le joueur qui a le plus de monde sur les îles de Corail gagne.",
  },
  "mauna-kea": {
    aim: "Le volcan entre en éruption. Allez chercher des artéfacts sur l’île et partez en bateau avec eux avant la lave.",
    turn: [
      "Utilisez chacune de vos tuiles une fois : posez-la pour tracer le chemin, ou dépensez ses points.",
      "Courez avec ces points : la jungle coûte 1, un lac 2, et on ne franchit pas les montagnes. Ramassez des artéfacts en chemin.",
      "Piochez de nouvelles tuiles. La lave qui s’y trouve coule aussitôt.",
    ],
    fear: "La lave recouvre une case après l’autre à partir du volcan. Qui s’y trouve est perdu, et le départ disparaît en premier.",
    end: "Quand quelqu’un n’a plus d’explorateur sur l’île, les explorateurs et les artéfacts sauvés rapportent des points, et les places vides de vos bateaux en coûtent.",
  },
};
