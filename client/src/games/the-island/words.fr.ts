import shared from "../hex/words.fr";
import type en from "./words.en";

const words: typeof en = {
  ...shared,
  "board.hand": "En main :",
  "board.hand.empty": "aucune tuile",
  "board.tray": "À placer :",
  "board.left": "Terrain restant",
  "board.lake": "le lac",
  "board.beach": "plage",
  "board.forest": "forêt",
  "board.exit": "mer, accès à l’île sûre {island}",
  "board.safe_island": "île sûre",
  "board.tile": "{what} (tuile de {space})",
  "board.value": "valeur {value}",
  "board.worth": "{where}, valeur {value}",
  "card.pitch": "Le volcan gronde et l’île s’enfonce. Mettez vos explorateurs à l’abri, en bateau ou à la nage, les plus précieux d’abord.",
  "card.facts": "De 2 à 4 joueurs, une heure environ, de la tactique et des mauvais tours",
  "chance.home": "part sauvée de la valeur de mes explorateurs",
};
export default words;
