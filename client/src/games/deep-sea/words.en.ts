/** Texts of the board beyond the game's sentences. */
const words = {
  "board.air": "Air",
  "board.round": "Round {round} of {rounds}",
  "board.over": "Game over",
  "board.turn": "to move",
  "board.place.submarine": "in the submarine",
  "board.place.home": "home",
  "board.place.out": "space {space}, going out",
  "board.place.back": "space {space}, heading home",
  "board.holds": "holds {units}",
  "board.points.none": "0 points",
  "board.points.one": "1 point",
  "board.points.many": "{points} points",
  "piece.disc": "white disc",
  "piece.chip": "level {level} chip",
  "piece.chip.value": "level {level} chip, worth {value}",
  "piece.pile": "pile of {count} chips, levels {levels}",
  "card.pitch": "One tank of air for everyone. Dive deep, pick up treasure, and get home before the air runs out.",
  "card.facts": "2 to 6 players, about 30 minutes, dice and nerve",
  "chance.home": "home before the air runs out",
  "chance.win": "win the game",
};
export default words;
