import type en from "./words.en";

const words: typeof en = {
  "board.step": "Étape",
  "board.sea": "mer",
  "board.mountain": "montagne",
  "board.there": "{what} en {space}",
  "board.boat.empty": "{what} en {space}, vide",
  "board.boat.crew": "{what} en {space} avec {crew}, commandé par {control}",
  "board.person.lost": "{what} ({seat}), perdu",
  "board.person.saved": "{what} ({seat}), en sécurité sur l’île {space}",
  "board.person.aboard": "{what} ({seat}), dans le bateau {boat} en {space}",
  "board.person.swims": "{what} ({seat}), à la nage en {space}",
  "board.person.stands": "{what} ({seat}) en {space}",
  "chance.win": "gagner la partie",
};
export default words;
