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
    notFound: "Cette table n’existe pas ou plus.",
    backHome: "Retour à l’accueil",
    backToInvitation: "Revenir à l’invitation",
    confirm: (action: string) => `Confirmer : ${action}`,
    sure: (action: string) => `Vraiment ? ${action}`,
    cannotBeUndone: "Ce coup ne pourra pas être annulé.",
    thisWay: "Dans ce sens",
    tapTurns: "Touchez la tuile pour la tourner.",
    inSteps: (label: string, steps: number) => `${label}, en ${steps} étapes`,
    wouldBeLost: (names: string) => `Ce coup ferait perdre ${names}.`,
    wouldSink: "Le bateau coulerait.",
    answering: "Réponse automatique dans un instant…",
    undo: "Annuler",
    undoWaits: "Votre coup sera annulé si les autres acceptent.",
    letBotPlay: (name: string) => `Laisser un robot jouer pour ${name}`,
    othersAsked: "On demande l’accord des autres.",
    undoAsked: (name: string) => `${name} voudrait annuler un coup.`,
    skip: "Passer",
    skipToTurn: "Passer à mon tour",
    replayTurn: "Revoir le dernier tour",
    offline: "Pas de connexion. Votre partie est en sûreté ; nouvel essai…",
    unsure: "On ne sait pas si cela a été enregistré. Nouvel essai…",
    reconnecting: "Connexion…",
    watching: "Vous regardez.",
    choices: "Ce que vous pouvez faire",
    lookAsAll: "Cacher de nouveau",
    restored: "L’hôte a restauré une sauvegarde de la table.",
    board: (game: string) => `Plateau : ${game}`,
    menu: "Menu",
    moment: (n: number) => `La position après l’événement ${n}`,
    toNow: "Revenir au présent",
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
    closer: "Zoom avant",
    out: "Zoom arrière",
    whole: "Tout le plateau",
  },

  tabs: {
    log: "Journal",
    seats: "Places",
    help: "Aide",
    rules: "Règles",
    talk: "Messages",
    text: "Texte",
    settings: "Réglages",
  },

  seats: {
    points: (n: number) => (n < 2 ? `${n} point` : `${n} points`),
    number: (n: number) => `Place ${n}`,
    clock: (time: string) => `encore ${time}`,
  },

  log: {
    said: (name: string, phrase: string) => `${name} : ${phrase}`,
  },

  trouble: {
    missing: "Il manque une partie de la page. Nouvel essai…",
    unexpected: "Un problème est survenu. Votre partie est en sûreté.",
    reload: "Recharger la page",
  },

  problems: {
    byCode: {
      unreachable: "Le serveur ne répond pas. Réessayez dans un instant.",
      stopping: "Le serveur va s’arrêter. Réessayez dans un instant.",
      unavailable: "Rien ne peut être lu ni enregistré. Réessayez dans un instant.",
      not_stored: "Rien n’a été enregistré ni changé ; réessayez.",
      unknown: "On ne sait pas si cela a été enregistré. Réessayez : cela ne prend effet qu’une fois.",
      too_many: "Trop de demandes à la fois. Réessayez dans un instant.",
      too_fast: "Pas si vite : attendez un instant.",
      overloaded: "Le serveur est surchargé. Rien n’a changé ; réessayez.",
      busy: "Le serveur est occupé. Réessayez dans un instant.",
      internal: "Erreur du serveur. Rien n’est perdu ; réessayez.",
    },
    unknown: "Cela n’a pas marché.",
    withRule: (message: string, rule: string) => `${message} (${rule})`,
  },
};
