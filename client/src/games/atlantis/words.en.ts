/** What the board says beside the sentences of the game. */
const words = {
  "board.step": "Step",
  "board.left": "Land left",
  "board.sea": "sea",
  "board.plain": "plain",
  "board.hill": "hill",
  "board.mountain": "mountain",
  "board.exit": "landing of the Coral Island {island}",
  "board.coral_island": "Coral Island",
  "board.there": "{what} on {space}",
  "board.boat.empty": "{what} on {space}, empty",
  "board.boat.crew": "{what} on {space} with {crew}, under {control}",
  "board.person.lost": "{what} of {seat}, lost",
  "board.person.saved": "{what} of {seat}, safe on {space}",
  "board.person.aboard": "{what} of {seat}, in boat {boat} on {space}",
  "board.person.swims": "{what} of {seat}, swimming on {space}",
  "board.person.stands": "{what} of {seat} on {space}",
  "card.pitch": "Atlantis goes under, piece by piece. Bring your tribe to the Coral Islands: by boat, swimming, or on a dolphin’s back.",
  "card.facts": "2 to 4 players, about an hour; the classic of 1986, its lost board rebuilt",
  "chance.home": "share of my tribe saved",
  "chance.win": "win the game",
};
export default words;
