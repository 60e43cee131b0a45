/** The client's texts at a table. Whole sentences, never fragments to join. */
export const en = {
  brand: "Archipel",
  close: "Close",
  cancel: "Cancel",
  copied: "Copied",
  loading: "One moment…",

  colours: {
    white: "white circle",
    yellow: "yellow triangle",
    sky: "sky-blue square",
    vermilion: "vermilion diamond",
    blue: "navy blue hexagon",
    black: "black star",
  },

  table: {
    yourTurn: "Your turn.",
    turnOf: (name: string) => `It is ${name}’s turn.`,
    thinking: (name: string) => `${name} is thinking.`,
    away: (name: string) => `${name} is away.`,
    over: "The game is over.",
    closed: "This table is closed.",
    notFound: "There is no such table, or it is gone.",
    backHome: "To the home page",
    confirm: (action: string) => `Confirm: ${action}`,
    sure: (action: string) => `Sure? ${action}`,
    cannotBeUndone: "This cannot be taken back.",
    wouldBeLost: (names: string) => `Lost by this: ${names}.`,
    wouldSink: "The boat goes down.",
    answering: "The answer goes out by itself in a moment.",
    undo: "Take back",
    undoWaits: "You have asked to take it back. The others have to agree.",
    letBotPlay: (name: string) => `Let a bot play for ${name}`,
    othersAsked: "The others are being asked.",
    undoAsked: (name: string) => `${name} would like to take something back.`,
    skip: "Skip",
    replayTurn: "Show the last turn again",
    offline: "No connection. Your game is safe; trying again…",
    reconnecting: "Connecting…",
    watching: "You are watching.",
    choices: "What you can do",
    lookAsAll: "Hide again",
    lookAt: (name: string) => `What ${name} may see`,
    restored: "The host has put a backup in place: the table is back at that moment.",
    board: (game: string) => `Board of ${game}`,
    menu: "Menu",
    moment: (n: number) => `The position after event ${n}`,
    toNow: "Back to now",
    spectators: (n: number) => (n === 1 ? "1 person is watching" : `${n} people are watching`),
  },

  bots: {
    "first-game": "first game",
    casual: "casual",
    regular: "regular",
    expert: "expert",
    master: "master",
    random: "beginner",
    greedy: "steady",
  } as Record<string, string>,

  times: {
    minutes: (n: number) => (n === 1 ? "1 minute" : `${n} minutes`),
    hours: (n: number) => (n === 1 ? "1 hour" : `${n} hours`),
    days: (n: number) => (n === 1 ? "1 day" : `${n} days`),
  },

  look: {
    closer: "Closer",
    out: "Further away",
    whole: "The whole board",
  },

  tabs: {
    log: "Log",
    seats: "Seats",
    help: "Help",
    rules: "Rules",
    talk: "Talk",
    text: "In words",
    settings: "Settings",
  },

  seats: {
    here: "here",
    away: (time: string) => `away for ${time}`,
    bot: (name: string) => `bot (${name})`,
    botPlays: "a bot plays for them",
    open: "open",
    resigned: "resigned",
    you: "you",
    points: (n: number) => (n === 1 ? "1 point" : `${n} points`),
    number: (n: number) => `Seat ${n}`,
    freeSure: (name: string) => `Free the seat of ${name}? A bot plays it until somebody sits down there to whom the others agree.`,
    handOver: "Let a bot play",
    free: "Free this seat",
    clock: (time: string) => `${time} left`,
  },

  log: {
    empty: "Nothing has happened yet.",
    earlier: "Show what came before",
    showPosition: "Show the position after this",
    said: (name: string, phrase: string) => `${name}: ${phrase}`,
  },

  trouble: {
    missing: "Part of this page has not arrived yet. It will be fetched again until it does.",
    unexpected: "Something on this page went wrong. Your game is safe on the server.",
    reload: "Reload the page",
  },

  problems: {
    byCode: {
      unreachable: "The server does not answer. Try again in a moment.",
      stopping: "The server is about to stop. Try again in a moment.",
      unavailable: "This could not be saved. Nothing has changed; please try again.",
      too_many: "Too much at once from your address. Try again in a moment.",
      too_fast: "Not so fast: wait a moment.",
      busy: "Other estimates are being made just now. Try again in a moment.",
      internal: "The server made a mistake. Nothing is lost; please try again.",
    } as Record<string, string>,
    unknown: "That did not work.",
    withRule: (message: string, rule: string) => `${message} (${rule})`,
  },
};

export type TableTexts = typeof en;
