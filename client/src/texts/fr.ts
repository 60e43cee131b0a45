import type { TableTexts } from "./en";

export const fr: TableTexts = {
  brand: "Archipel",
  close: "Fermer",
  cancel: "Annuler",
  copied: "Copié",
  loading: "Un instant…",

  colours: {
    white: "rond blanc",
    yellow: "triangle jaune",
    sky: "carré bleu ciel",
    vermilion: "losange vermillon",
    blue: "hexagone bleu marine",
    black: "étoile noire",
  },

  table: {
    yourTurn: "À vous de jouer.",
    turnOf: (name: string) => `C’est à ${name} de jouer.`,
    thinking: (name: string) => `${name} réfléchit.`,
    away: (name: string) => `${name} n’est plus là.`,
    over: "La partie est terminée.",
    closed: "Cette table est fermée.",
    notFound: "Cette table n’existe pas, ou n’existe plus.",
    backHome: "Vers l’accueil",
    confirm: (action: string) => `Confirmer : ${action}`,
    sure: (action: string) => `Vraiment ? ${action}`,
    cannotBeUndone: "On ne pourra pas revenir en arrière.",
    wouldBeLost: (names: string) => `Perdu par ce coup : ${names}.`,
    wouldSink: "Le bateau coule.",
    answering: "La réponse va partir toute seule.",
    undo: "Annuler",
    undoWaits: "Revenir en arrière : les autres doivent être d’accord.",
    letBotPlay: (name: string) => `Laisser un robot jouer pour ${name}`,
    othersAsked: "On demande l’accord des autres.",
    undoAsked: (name: string) => `${name} voudrait revenir en arrière.`,
    skip: "Passer",
    replayTurn: "Revoir le dernier tour",
    offline: "Hors ligne. Votre partie est en sûreté…",
    reconnecting: "Connexion…",
    watching: "Vous regardez.",
    choices: "Ce que vous pouvez faire",
    lookAsAll: "Cacher de nouveau",
    lookAt: (name: string) => `Ce que voit ${name}`,
    restored: "L’hôte a remis une sauvegarde : la table est revenue à ce moment-là.",
    board: (game: string) => `Plateau : ${game}`,
    menu: "Menu",
    moment: (n: number) => `La position après l’événement ${n}`,
    toNow: "Revenir au présent",
    spectators: (n: number) => (n < 2 ? `${n} personne regarde` : `${n} personnes regardent`),
  },

  bots: {
    "first-game": "première partie",
    casual: "occasionnel",
    regular: "habitué",
    expert: "expert",
    master: "maître",
    random: "débutant",
    greedy: "régulier",
  },

  times: {
    minutes: (n: number) => (n < 2 ? `${n} minute` : `${n} minutes`),
    hours: (n: number) => (n < 2 ? `${n} heure` : `${n} heures`),
    days: (n: number) => (n < 2 ? `${n} jour` : `${n} jours`),
  },

  look: {
    closer: "Plus près",
    out: "Plus loin",
    whole: "Tout le plateau",
  },

  tabs: {
    log: "Journal",
    seats: "Places",
    help: "Aide",
    rules: "Règles",
    talk: "Parler",
    text: "En mots",
    settings: "Réglages",
  },

  seats: {
    here: "en ligne",
    away: (time: string) => `hors ligne depuis ${time}`,
    bot: (name: string) => `robot (${name})`,
    botPlays: "un robot joue à sa place",
    open: "libre",
    resigned: "a abandonné",
    you: "vous",
    points: (n: number) => (n < 2 ? `${n} point` : `${n} points`),
    number: (n: number) => `Place ${n}`,
    freeSure: (name: string) => `Libérer la place occupée par ${name} ? Un robot y joue jusqu’à ce que quelqu’un s’y assoie avec l’accord des autres.`,
    handOver: "Laisser jouer un robot",
    free: "Libérer cette place",
    clock: (time: string) => `encore ${time}`,
  },

  log: {
    empty: "Il ne s’est encore rien passé.",
    earlier: "Afficher ce qui précède",
    showPosition: "Voir la position",
    said: (name: string, phrase: string) => `${name} : ${phrase}`,
  },

  trouble: {
    missing: "Une partie de la page n’est pas arrivée. On essaie encore.",
    unexpected: "Cette page a eu un problème. Votre partie est en sûreté.",
    reload: "Recharger la page",
  },

  problems: {
    byCode: {
      unreachable: "Le serveur ne répond pas. Réessayez dans un instant.",
      stopping: "Le serveur va s’arrêter. Réessayez dans un instant.",
      unavailable: "Rien n’a pu être enregistré ; réessayez.",
      too_many: "Trop de demandes à la fois. Réessayez dans un instant.",
      too_fast: "Pas si vite : attendez un instant.",
      busy: "Trop d’estimations à la fois. Réessayez dans un instant.",
      internal: "Erreur du serveur. Rien n’est perdu ; réessayez.",
    },
    unknown: "Cela n’a pas marché.",
    withRule: (message: string, rule: string) => `${message} (${rule})`,
  },
};
