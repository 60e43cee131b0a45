/** Texts of the runtime's state in both languages, only loaded by static sites. */
import { settings } from "../lib/settings.svelte";
import type { Failure } from "./messages";

interface Words {
  loading: string;
  reload: string;
  failures: Record<Failure, string>;
}

const en: Words = {
  loading: "The games are loading",
  reload: "Reload the page",
  failures: {
    storage: "This browser does not let the page store games, for example in a private window. Nothing can be played here: use a normal window, or allow storage for this site.",
    full: "This device’s storage is full, so your last move was not saved. Free some space, then reload the page: all earlier moves are safe.",
    runtime: "The games could not be started. Check the connection and reload the page.",
  },
};

const fr: Words = {
  loading: "Chargement des jeux",
  reload: "Recharger la page",
  failures: {
    storage: "Ce navigateur ne permet pas d’enregistrer les parties, par exemple en navigation privée. Impossible de jouer ici\u00a0: ouvrez une fenêtre normale ou autorisez ce site à enregistrer des données.",
    full: "L’espace de stockage est plein\u00a0: votre dernier coup n’est pas enregistré. Libérez de la place, puis rechargez la page\u00a0; les coups précédents sont en sûreté.",
    runtime: "Les jeux n’ont pas pu démarrer. Vérifiez la connexion et rechargez la page.",
  },
};

export const words = (): Words => (settings.language === "fr" ? fr : en);
