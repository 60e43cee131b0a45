import type { MoreTexts } from "./more.en";

export const moreFr: MoreTexts = {
  help: {
    canDo: "Vous pouvez",
    colon: " : ",
    cannotDo: "Pas maintenant",
    notYourTurn:
      "À votre tour, vous verrez ici ce que vous pouvez faire, et pourquoi le reste est impossible.",
    odds: "Quelles sont mes chances ?",
    oddsWait: "Simulation de parties…",
    oddsNote: (playouts: string) =>
      `Estimation d’après ${playouts} parties simulées, avec un robot « régulier » à toutes les places.`,
    keys: "Touches",
    keyList: [
      ["1 … 9", "activer le bouton de ce numéro"],
      ["Flèches, PgPréc, PgSuiv, Entrée", "parcourir le plateau, choisir"],
      ["U", "annuler"],
      ["S", "passer jusqu’à mon tour"],
      ["P", "revoir le dernier tour"],
      ["L, R, H", "journal, règles, aide"],
      ["T", "le plateau en texte, et les coups à taper"],
      ["+, −, 0", "zoom avant, zoom arrière, tout le plateau"],
      ["←, →", "parcourir une partie que l’on revoit"],
      ["Échap", "annuler un choix, fermer"],
    ],
  },

  seatList: {
    lookAt: (name: string) => `Ce que voit ${name}`,
    spectators: (n: number) => (n < 2 ? `${n} personne regarde` : `${n} personnes regardent`),
    onDevice: "Cette table a commencé sur l’appareil de l’hôte, qui connaît tout ce qui est caché.",
    here: "en ligne",
    away: (time: string) => `hors ligne depuis ${time}`,
    bot: (name: string) => `robot (${name})`,
    botPlays: "un robot joue à sa place",
    open: "libre",
    resigned: "a abandonné",
    you: "vous",
    handOver: "Laisser jouer un robot",
    free: "Libérer cette place",
  },

  logList: {
    empty: "Il ne s’est encore rien passé.",
    earlier: "Afficher les événements précédents",
    showPosition: "Voir la position",
  },

  turn: {
    piece: (piece: string, does: string) => `${piece} : ${does}`,
    then: " ; ",
  },

  embed: "Montrer ce plateau sur une autre page",

  hint: {
    ask: "Conseil",
    again: "Cacher le conseil",
    wait: "Réflexion…",
    best: (turn: string, chance: string, doubt: string, because: string) =>
      `${turn}. Ce coup gagne environ ${chance} des parties ${doubt}${because ? `, car ${because}` : ""}.`,
    doubt: (points: string, one: boolean) => `(± ${points} ${one ? "point" : "points"} de pourcentage)`,
    other: (turn: string, chance: string) => `À défaut, ${chance} : ${turn}.`,
    near: "Le deuxième choix est à peu près aussi bon.",
    ownScore: (best: string, other: string, after: string) => `vous marquez alors en moyenne ${best} points, contre ${other} ${after}`,
    rivalScore: (best: string, other: string, after: string) => `votre meilleur adversaire marque alors en moyenne ${best} points, contre ${other} ${after}`,
    lead: (best: string, other: string, after: string) => `l’écart moyen entre votre score et celui du meilleur adversaire vaut alors ${best}, contre ${other} ${after}`,
    afterNext: "après le deuxième choix",
    afterWeaker: "après un coup plus faible",
    failed: "Le moteur n’a pas pu être chargé.",
    preparing: (ready: number, all: number) => `Le serveur prépare les conseils : ${ready < 2 ? `${ready} jeu est prêt` : `${ready} jeux sont prêts`} sur ${all}.`,
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
    illustrated: "Les règles illustrées, sur une page à part",
    sources: { R: "livret", F: "ses images", D: "précision maison" },
    numbers: "Afficher les numéros et les sources des règles",
  },

  text: {
    title: "Le plateau en texte",
    place: "Endroit",
    what: "Ce qui s’y trouve",
    typeMove: "Écrire un coup",
    play: "Jouer",
    unknownMove: (text: string, moves: string) =>
      `« ${text} » n’est pas possible maintenant. Possibles : ${moves}.`,
    notation: "En notation",
  },

  talk: {
    title: "Dire quelque chose",
    nothing: "Personne n’a encore rien dit.",
    write: "Écrire aux joueurs",
    send: "Envoyer",
    playersOnly: "Seuls les joueurs lisent ces messages, pas ceux qui regardent.",
    mute: (name: string) => `Ne plus lire ${name}`,
    unmute: (name: string) => `Lire ${name} de nouveau`,
    allow: "Les joueurs peuvent s’écrire",
  },

  settings: {
    language: "Langue",
    theme: "Thème",
    themes: { auto: "comme l’appareil", light: "clair", dark: "sombre" },
    speed: "Vitesse des animations",
    speeds: { slow: "lente", normal: "normale", fast: "rapide", off: "aucune" },
    answer: "Quand une tuile peut me défendre",
    answers: { ask: "me demander", use: "l’utiliser", keep: "la garder" },
    confirm: "Confirmer chaque coup sur le plateau",
    volume: "Volume",
    sound: "Sons",
    notifications: "Me prévenir quand c’est mon tour",
    notificationsOff: "Le navigateur bloque les notifications.",
    fairness: "Des dés honnêtes",
    fairnessText:
      "Chacun scelle une part de hasard, le serveur fixe son secret, puis toutes les parts sont ouvertes : personne ne peut choisir les dés. Voici l’empreinte du secret. Le secret est dévoilé à la fin, et votre navigateur recalcule la donne et chaque tirage.",
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
    wait: "Nouvel examen de la décision…",
    seen: (bot: string) => `Ce que le robot (${bot}) a envisagé, avec ses chances de gagner estimées d’après ce que vous voyez :`,
    lead: (bot: string) => `Les choix que le robot (${bot}) a envisagés, avec ses chances de gagner estimées :`,
    chosen: "choisi",
    tried: (times: string) => `essayé ${times} fois`,
    plain: (bot: string) => `Ce robot (${bot}) suit des règles simples et n’estime pas les chances.`,
    chance: "Aucun robot n’a répondu à temps : ce choix a été tiré au hasard.",
    only: "Un seul choix était possible.",
  },
};
