/** Texts of both hex boards. */
const words = {
  "board.step": "Step",
  "board.sea": "sea",
  "board.mountain": "mountain",
  "board.there": "{what} on {space}",
  "board.boat.empty": "{what} on {space}, empty",
  "board.boat.crew": "{what} on {space} with {crew}, controlled by {control}",
  "board.person.lost": "{what} of {seat}, lost",
  "board.person.saved": "{what} of {seat}, safe on the {space} island",
  "board.person.aboard": "{what} of {seat}, in boat {boat} on {space}",
  "board.person.swims": "{what} of {seat}, swimming on {space}",
  "board.person.stands": "{what} of {seat} on {space}",
  "chance.win": "win the game",
};
export default words;
