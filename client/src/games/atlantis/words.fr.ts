import shared from "../hex/words.fr";
import type en from "./words.en";

const words: typeof en = {
  ...shared,
  "turn.flee": "déplacer son occupant en {space}",
  "board.left": "Terre restante",
  "board.plain": "plaine",
  "board.hill": "colline",
  "board.exit": "débarcadère de l’île de Corail {island}",
  "board.coral_island": "île de Corail",
  "card.pitch": "L’Atlantide s’enfonce, morceau par morceau. Menez votre tribu aux îles de Corail : en bateau ou à dos de dauphin.",
  "card.facts": "De 2 à 4 joueurs, une heure environ ; le classique de 1986, sur un plateau reconstitué",
  "chance.home": "part de ma tribu sauvée",
};
export default words;
