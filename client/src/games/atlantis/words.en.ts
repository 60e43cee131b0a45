import shared from "../hex/words.en";

/** Texts of the board beyond the game's sentences. */
const words = {
  ...shared,
  "turn.flee": "move its occupant to {space}",
  "board.left": "Land left",
  "board.plain": "plain",
  "board.hill": "hill",
  "board.exit": "landing of the {island} Coral Island",
  "board.coral_island": "Coral Island",
  "card.pitch": "Atlantis is sinking, piece by piece. Bring your tribe to the Coral Islands: by boat or on a dolphin’s back.",
  "card.facts": "2 to 4 players, about an hour; the 1986 classic on a reconstructed board",
  "chance.home": "share of my tribe saved",
};
export default words;
