import type en from "./words.en";

const words: typeof en = {
  "board.step": "Étape",
  "board.left": "Terre restante",
  "board.sea": "mer",
  "board.plain": "plaine",
  "board.hill": "colline",
  "board.mountain": "montagne",
  "board.exit": "débarcadère de l’île de Corail {island}",
  "board.coral_island": "île de Corail",
  "board.there": "{what} en {space}",
  "board.boat.empty": "{what} en {space}, vide",
  "board.boat.crew": "{what} en {space} avec {crew}, aux ordres de {control}",
  "board.person.lost": "{what} ({seat}), perdu",
  "board.person.saved": "{what} ({seat}), en sécurité sur {space}",
  "board.person.aboard": "{what} ({seat}), dans le bateau {boat} en {space}",
  "board.person.swims": "{what} ({seat}), à la nage en {space}",
  "board.person.stands": "{what} ({seat}) en {space}",
  "card.pitch": "L’Atlantide s’engloutit, morceau par morceau. Menez votre tribu aux îles de Corail : en bateau, à la nage ou à dos de dauphin.",
  "card.facts": "De 2 à 4 joueurs, une heure environ ; le classique de 1986, au plateau perdu et reconstitué",
  "chance.home": "part de ma tribu sauvée",
  "chance.win": "gagner la partie",
};
export default words;
