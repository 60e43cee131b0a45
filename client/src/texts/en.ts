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
    notFound: "This table does not exist, or no longer exists.",
    backHome: "Back to the home page",
    backToInvitation: "Back to the invitation",
    confirm: (action: string) => `Confirm: ${action}`,
    sure: (action: string) => `Sure? ${action}`,
    cannotBeUndone: "This cannot be taken back.",
    thisWay: "This way",
    tapTurns: "Tap the tile to rotate it.",
    inSteps: (label: string, steps: number) => `${label}, in ${steps} steps`,
    wouldBeLost: (names: string) => `This would lose ${names}.`,
    wouldSink: "The boat would sink.",
    answering: "Answering for you in a moment…",
    undo: "Take back",
    undoWaits: "You have asked to take back your move. The others have to agree.",
    letBotPlay: (name: string) => `Let a bot play for ${name}`,
    othersAsked: "The others are being asked.",
    undoAsked: (name: string) => `${name} would like to take back a move.`,
    skip: "Skip",
    skipToTurn: "Skip to my turn",
    replayTurn: "Replay the last turn",
    offline: "No connection. Your game is safe; trying again…",
    unsure: "It is not certain whether this was saved. Asking again…",
    reconnecting: "Connecting…",
    watching: "You are watching.",
    choices: "What you can do",
    lookAsAll: "Hide again",
    restored: "The host has restored a backup: the table is back at that moment.",
    board: (game: string) => `Board of ${game}`,
    menu: "Menu",
    moment: (n: number) => `The position after event ${n}`,
    toNow: "Back to now",
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
    closer: "Zoom in",
    out: "Zoom out",
    whole: "The whole board",
  },

  tabs: {
    log: "Log",
    seats: "Seats",
    help: "Help",
    rules: "Rules",
    talk: "Chat",
    text: "Text",
    settings: "Settings",
  },

  seats: {
    points: (n: number) => (n === 1 ? "1 point" : `${n} points`),
    number: (n: number) => `Seat ${n}`,
    clock: (time: string) => `${time} left`,
  },

  log: {
    said: (name: string, phrase: string) => `${name}: ${phrase}`,
  },

  trouble: {
    missing: "Part of this page could not be loaded. Trying again…",
    unexpected: "Something on this page went wrong. Your game is safe on the server.",
    reload: "Reload the page",
  },

  problems: {
    byCode: {
      unreachable: "The server does not answer. Try again in a moment.",
      stopping: "The server is about to stop. Try again in a moment.",
      unavailable: "Nothing can be read or saved at the moment. Please try again.",
      not_stored: "This could not be saved. Nothing has changed; please try again.",
      unknown: "It is not certain whether this was saved. Please try again: it takes effect only once.",
      too_many: "Too many requests from your address. Try again in a moment.",
      too_fast: "Not so fast: wait a moment.",
      overloaded: "The server has too much to do. Nothing has changed; try again in a few seconds.",
      busy: "The server is busy with other estimates. Try again in a moment.",
      internal: "The server had an error. Nothing is lost; please try again.",
    } as Record<string, string>,
    unknown: "That did not work.",
    withRule: (message: string, rule: string) => `${message} (${rule})`,
  },
};

export type TableTexts = typeof en;
