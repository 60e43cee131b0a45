import shared from "../hex/words.en";

/** Texts of the board beyond the game's sentences. */
const words = {
  ...shared,
  "board.left": "Land left",
  "board.hand": "Hand:",
  "board.hand.empty": "no tile yet",
  "board.tray": "To place:",
  "board.lake": "the lake",
  "board.beach": "beach",
  "board.forest": "forest",
  "board.exit": "sea, exit of the {island} safe island",
  "board.safe_island": "safe island",
  "board.tile": "{what} (tile from {space})",
  "board.value": "worth {value}",
  "board.worth": "{where}, worth {value}",
  "card.pitch": "The volcano stirs and the island sinks. Bring your explorers to safety, by boat or swimming, the most valuable first.",
  "card.facts": "2 to 4 players, about an hour, tactics and mischief",
  "chance.home": "share of my explorers’ value saved",
};
export default words;
