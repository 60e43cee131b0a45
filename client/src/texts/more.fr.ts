import type { MoreTexts } from "./more.en";

export const moreFr: MoreTexts = {
  help: {
    canDo: "Vous pouvez",
    colon: " : ",
    cannotDo: "Pas maintenant",
    notYourTurn:
      "Ce n’est pas votre tour. Quand il viendra, cette page dira ce que vous pouvez faire, et pourquoi le reste est impossible.",
    odds: "Quelles sont mes chances ?",
    oddsWait: "On joue la suite…",
    oddsNote: (playouts: string) =>
      `Une estimation d’après ${playouts} parties simulées, avec un robot régulier à toutes les places.`,
    keys: "Touches",
    keyList: [
      ["1 … 9", "choisir ce que dit le bouton de ce numéro"],
      ["Flèches, PgPréc, PgSuiv, Entrée", "parcourir le plateau, choisir"],
      ["U", "annuler"],
      ["S", "passer ce qui est en train d’être montré"],
      ["P", "revoir le dernier tour"],
      ["L, R, H", "journal, règles, aide"],
      ["T", "le plateau en mots, et les coups à taper"],
      ["+, −, 0", "plus près, plus loin, tout le plateau"],
      ["←, →", "parcourir une partie que l’on revoit"],
      ["Échap", "abandonner un choix, fermer"],
    ],
  },

  hint: {
    ask: "Conseil",
    again: "Cacher le conseil",
    wait: "Réflexion…",
    best: (label: string, chance: string, doubt: string) => `${label} : ${chance} de chances de gagner${doubt}.`,
    then: (label: string, chance: string) => `Deuxième choix : « ${label} » (${chance}).`,
    near: "L’écart est trop faible pour trancher.",
    clear: (points: string) => `Nettement mieux : ${points} points de pourcentage de plus.`,
    otherwise: (why: string) => `Sinon : ${why}`,
    hope: (what: string, best: string, next: string) => `${what} : ${best}, contre ${next} sinon.`,
    failed: "Le moteur n’a pas pu être chargé.",
  },

  manage: {
    allowHints: "Permettre les conseils à tous",
    linkToMoment: "Copier un lien vers ce moment",
    freeOf: (name: string) => `Libérer la place occupée par ${name}`,
    handOverMine: "Laisser un robot jouer pour moi",
    resign: "Abandonner",
    resignSure: "Abandonner ? Un robot joue à votre place jusqu’à la fin, sans retour possible.",
    close: "Fermer la table",
    closeSure: "Fermer la table pour tout le monde ? La partie s’arrête là.",
    closeAsk: "Arrêter la partie pour tout le monde ? Les autres doivent être d’accord.",
  },

  rules: {
    about: "Les règles à ce sujet",
    all: "Toutes les règles",
    quoted: (name: string) => `« ${name} »`,
    failed: "Les règles n’ont pas pu être chargées.",
    illustrated: "Les règles avec des positions en images, sur une page à part",
    sources: { R: "livret", F: "ses images", D: "précision maison" },
  },

  text: {
    title: "Le plateau en mots",
    place: "Endroit",
    what: "Ce qui s’y trouve",
    typeMove: "Écrire un coup",
    play: "Jouer",
    unknownMove: (text: string, moves: string) =>
      `« ${text} » n’est pas possible maintenant. Possibles : ${moves}.`,
    notation: "En notation",
  },

  talk: { title: "Dire quelque chose", nothing: "Personne n’a encore rien dit." },

  settings: {
    language: "Langue",
    theme: "Clair ou sombre",
    themes: { auto: "comme l’appareil", light: "clair", dark: "sombre" },
    speed: "Vitesse des animations",
    speeds: { slow: "lente", normal: "normale", fast: "rapide", off: "aucune" },
    answer: "Quand une tuile peut me défendre",
    answers: { ask: "me demander", use: "l’utiliser", keep: "la garder" },
    confirm: "Confirmer chaque coup sur le plateau",
    sound: "Sons",
    notifications: "Me prévenir quand c’est mon tour",
    notificationsOff: "Le navigateur ne le permet pas.",
    fairness: "Des dés honnêtes",
    fairnessText:
      "Chacun scelle une part des dés, le serveur fixe son secret, puis tout est ouvert : personne ne choisit ce qui sortira. Voici l’empreinte du secret, dévoilé à la fin ; votre navigateur vérifie alors que rien n’a changé.",
    commitment: "Empreinte (SHA-256)",
    secret: "Secret",
  },

  replay: {
    title: "Revoir la partie",
    first: "Au début",
    back: "Une étape en arrière",
    forth: "Une étape en avant",
    last: "À la fin",
    play: "Lecture",
    pause: "Pause",
    position: (n: number, of: number) => `Étape ${n} sur ${of}`,
  },

  why: {
    ask: (name: string) => `${name} : pourquoi ce coup ?`,
    wait: "Le robot y repense…",
    lead: (bot: string) => `Ce que le robot (${bot}) a envisagé, avec ses chances de gagner à ses yeux :`,
    chosen: "choisi",
    tried: (times: string) => `essayé ${times} fois`,
    plain: (bot: string) => `Ce robot (${bot}) suit des règles simples et ne pèse pas les chances.`,
    chance: "Aucun robot n’a répondu à temps : le hasard a décidé.",
    only: "Il n’y avait rien à choisir.",
  },
};
