/** Texts of the panels beside the board, loaded with them. */
export const moreEn = {
  help: {
    canDo: "You can",
    colon: ": ",
    cannotDo: "Not now",
    notYourTurn: "It is not your turn. When it is, you can see here what you can do, and why other things are not possible.",
    odds: "How are my chances?",
    oddsWait: "Simulating games…",
    oddsNote: (playouts: string) => `Estimated from ${playouts} simulated games, with a “steady” bot in every seat.`,
    keys: "Keys",
    keyList: [
      ["1 … 9", "press the button with that number"],
      ["Arrows, PgUp, PgDn, Enter", "move over the board, choose"],
      ["U", "take back"],
      ["S", "skip to my turn"],
      ["P", "replay the last turn"],
      ["L, R, H", "log, rules, help"],
      ["T", "the board as text, typed moves"],
      ["+, −, 0", "zoom in, zoom out, whole board"],
      ["←, →", "step through a replay"],
      ["Esc", "cancel a choice, close"],
    ] as [string, string][],
  },

  seatList: {
    lookAt: (name: string) => `What ${name} may see`,
    spectators: (n: number) => (n === 1 ? "1 person is watching" : `${n} people are watching`),
    onDevice: "This table began on the host’s device, which knows everything hidden.",
    here: "here",
    away: (time: string) => `away for ${time}`,
    bot: (name: string) => `bot (${name})`,
    botPlays: "a bot plays for them",
    open: "open",
    resigned: "resigned",
    you: "you",
    handOver: "Let a bot play",
    free: "Free this seat",
  },

  logList: {
    empty: "Nothing has happened yet.",
    earlier: "Show earlier events",
    showPosition: "Show this position",
  },

  turn: {
    piece: (piece: string, does: string) => `${piece}: ${does}`,
    then: "; ",
  },

  embed: "Show this board on another page",

  hint: {
    ask: "Hint",
    again: "Hide the hint",
    wait: "Thinking…",
    best: (turn: string, chance: string, doubt: string, because: string) =>
      `${turn}. It wins about ${chance} of games ${doubt}${because ? `, because ${because}` : ""}.`,
    doubt: (points: string, one: boolean) => `(± ${points} percentage ${one ? "point" : "points"})`,
    other: (turn: string, chance: string) => `Next best, ${chance}: ${turn}.`,
    near: "The next best is about as good.",
    ownScore: (best: string, other: string, after: string) => `you then score ${best} points on average, against ${other} ${after}`,
    rivalScore: (best: string, other: string, after: string) => `your strongest opponent then scores ${best} points on average, against ${other} ${after}`,
    lead: (best: string, other: string, after: string) => `your score minus your strongest opponent’s is then ${best} on average, against ${other} ${after}`,
    afterNext: "after the next best",
    afterWeaker: "after a weaker turn",
    failed: "The engine could not be loaded.",
    preparing: (ready: number, all: number) => `The server is preparing hints: ${ready} of ${all} games are ready.`,
  },

  manage: {
    allowHints: "Allow hints for everyone",
    linkToMoment: "Copy a link to this moment",
    freeOf: (name: string) => `Free ${name}’s seat`,
    handOverMine: "Let a bot play for me",
    resign: "Resign",
    resignSure: "Resign? A bot takes over your seat, and you cannot come back.",
    close: "Close the table",
    closeSure: "Close the table for everyone? The game ends here.",
    closeAsk: "End the game for everyone? The others have to agree.",
  },

  rules: {
    about: "Rules about this",
    all: "All the rules",
    quoted: (name: string) => `“${name}”`,
    failed: "The rules could not be loaded.",
    illustrated: "Illustrated rules, on a separate page",
    sources: { R: "rulebook", F: "its pictures", D: "house decision" } as Record<string, string>,
    numbers: "Show rule numbers and sources",
  },

  text: {
    title: "The board as text",
    place: "Place",
    what: "What is there",
    typeMove: "Type a move",
    play: "Play",
    unknownMove: (text: string, moves: string) => `“${text}” is not possible now. Possible: ${moves}.`,
    notation: "In notation",
  },

  talk: {
    title: "Say something",
    nothing: "Nobody has said anything yet.",
    write: "Write to the players",
    send: "Send",
    playersOnly: "Only the players can read this, not those who watch.",
    mute: (name: string) => `Mute ${name}`,
    unmute: (name: string) => `Hear ${name} again`,
    allow: "Players can write to each other",
  },

  settings: {
    language: "Language",
    theme: "Theme",
    themes: { auto: "same as the device", light: "light", dark: "dark" },
    speed: "Animation speed",
    speeds: { slow: "slow", normal: "normal", fast: "fast", off: "none" },
    answer: "When a tile can defend me",
    answers: { ask: "ask me", use: "use it", keep: "keep it" },
    confirm: "Confirm every move on the board",
    sound: "Sounds",
    volume: "Volume",
    notifications: "Notify me when it is my turn",
    notificationsOff: "The browser blocks notifications.",
    fairness: "Fair dice",
    fairnessText:
      "Every player seals a random share, the server fixes its secret, then all shares are opened: nobody can choose the dice. This is the fingerprint of the secret. The secret is shown at the end, and your browser recomputes the deal and every outcome.",
    commitment: "Fingerprint (SHA-256)",
    secret: "Secret",
  },

  replay: {
    title: "Replay",
    first: "Go to the start",
    back: "One step back",
    forth: "One step forward",
    last: "Go to the end",
    play: "Play",
    pause: "Pause",
    position: (n: number, of: number) => `Step ${n} of ${of}`,
  },

  why: {
    ask: (name: string) => `Why did ${name} do this?`,
    wait: "Looking at the decision again…",
    seen: (bot: string) => `What the bot (${bot}) considered, with its chances of winning, estimated from what you can see:`,
    lead: (bot: string) => `The choices that the bot (${bot}) considered, with its estimated chance of winning:`,
    chosen: "chosen",
    tried: (times: string) => `tried ${times} times`,
    plain: (bot: string) => `This bot (${bot}) follows simple rules and does not estimate chances.`,
    chance: "No bot answered in time, so this choice was random.",
    only: "There was only one possible choice.",
  },
};

export type MoreTexts = typeof moreEn;
