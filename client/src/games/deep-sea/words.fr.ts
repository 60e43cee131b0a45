import type en from "./words.en";

const words: typeof en = {
  "board.air": "Air",
  "board.round": "Manche {round} sur {rounds}",
  "board.over": "Partie terminée",
  "board.turn": "c’est son tour",
  "board.place.submarine": "dans le sous-marin",
  "board.place.home": "de retour au sous-marin",
  "board.place.out": "case {space}, vers le large",
  "board.place.back": "case {space}, sur le retour",
  "board.holds": "tient : {units}",
  "board.points.none": "0 point",
  "board.points.one": "1 point",
  "board.points.many": "{points} points",
  "piece.disc": "disque blanc",
  "piece.chip": "jeton de niveau {level}",
  "piece.chip.value": "jeton de niveau {level}, valeur {value}",
  "piece.pile": "pile de {count} jetons, niveaux {levels}",
  "card.pitch":
    "Une seule réserve d’air pour tout le monde. Plongez, ramassez des trésors et rentrez avant qu’elle ne soit vide.",
  "card.facts": "De 2 à 6 joueurs, une demi-heure environ, des dés et du sang-froid",
  "chance.home": "rentrer avant qu’il n’y ait plus d’air",
  "chance.win": "gagner la partie",
};
export default words;
