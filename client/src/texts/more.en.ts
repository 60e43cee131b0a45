/** Texts of the panels beside the board, loaded with them. */
export const moreEn = {
  help: {
    canDo: "You can",
    colon: ": ",
    cannotDo: "Not now",
    notYourTurn: "It is not your turn. When it is, this page says what you can do, and why not.",
    odds: "How are my chances?",
    oddsWait: "Playing it out…",
    oddsNote: (playouts: string) => `An estimate from ${playouts} playouts with a steady bot in every seat.`,
    keys: "Keys",
    keyList: [
      ["1 … 9", "choose what the button with that number says"],
      ["Arrows, PgUp, PgDn, Enter", "go over the board, choose"],
      ["U", "take back"],
      ["S", "skip what is being shown"],
      ["P", "show the last turn again"],
      ["L, R, H", "log, rules, help"],
      ["T", "the board in words, and moves by typing"],
      ["+, −, 0", "closer, further away, the whole board"],
      ["←, →", "step through a game that is shown again"],
      ["Esc", "let go of a choice, close"],
    ] as [string, string][],
  },

  hint: {
    ask: "Hint",
    again: "Hide the hint",
    wait: "Thinking…",
    best: (label: string, chance: string, doubt: string) => `${label}: ${chance} to win${doubt}.`,
    then: (label: string, chance: string) => `Next best: “${label}” (${chance}).`,
    near: "The difference is too small to call.",
    clear: (points: string) => `Clearly better, by ${points} percentage points.`,
    otherwise: (why: string) => `Otherwise: ${why}`,
    hope: (what: string, best: string, next: string) => `${what}: ${best}, otherwise ${next}.`,
    failed: "The engine could not be loaded.",
  },

  manage: {
    allowHints: "Allow hints for everyone",
    linkToMoment: "Copy a link to this moment",
    freeOf: (name: string) => `Free the seat of ${name}`,
    handOverMine: "Let a bot play for me",
    resign: "Resign",
    resignSure: "Resign? A bot plays on in your place, and you cannot come back.",
    close: "Close the table",
    closeSure: "Close the table for everyone? The game ends here.",
    closeAsk: "End the game for everyone? The others have to agree.",
  },

  rules: {
    about: "Rules about this",
    all: "All the rules",
    quoted: (name: string) => `“${name}”`,
    failed: "The rules could not be loaded.",
    illustrated: "The rules with pictured positions, on a page of their own",
    sources: { R: "rulebook", F: "its pictures", D: "house decision" } as Record<string, string>,
  },

  text: {
    title: "The board in words",
    place: "Place",
    what: "What is there",
    typeMove: "Type a move",
    play: "Play",
    unknownMove: (text: string, moves: string) => `“${text}” is not possible now. Possible: ${moves}.`,
    notation: "In notation",
  },

  talk: { title: "Say something", nothing: "Nobody has said anything yet." },

  settings: {
    language: "Language",
    theme: "Light or dark",
    themes: { auto: "as the device", light: "light", dark: "dark" },
    speed: "How fast things are shown",
    speeds: { slow: "slowly", normal: "normally", fast: "fast", off: "at once" },
    answer: "When a tile can defend me",
    answers: { ask: "ask me", use: "use it", keep: "keep it" },
    confirm: "Confirm every move on the board",
    sound: "Sounds",
    notifications: "Tell me when it is my turn",
    notificationsOff: "The browser does not allow it.",
    fairness: "Fair dice",
    fairnessText:
      "Everybody seals a share of the dice, the server fixes its secret, then all shares are opened: nobody chooses how they fall. This is the fingerprint of the secret, which is opened at the end; your browser then checks that nothing has changed.",
    commitment: "Fingerprint (SHA-256)",
    secret: "Secret",
  },

  replay: {
    title: "The game again",
    first: "To the beginning",
    back: "One step back",
    forth: "One step on",
    last: "To the end",
    play: "Play",
    pause: "Pause",
    position: (n: number, of: number) => `Step ${n} of ${of}`,
  },

  why: {
    ask: (name: string) => `Why did ${name} do this?`,
    wait: "Thinking it over again…",
    lead: (bot: string) => `What the bot (${bot}) considered, with its chance to win as it saw it:`,
    chosen: "chosen",
    tried: (times: string) => `tried ${times} times`,
    plain: (bot: string) => `This bot (${bot}) goes by rules of thumb and weighs no chances.`,
    chance: "No bot answered in time: this was left to chance.",
    only: "There was nothing to choose.",
  },
};

export type MoreTexts = typeof moreEn;
