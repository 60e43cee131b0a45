import type { DaysWords } from "./words.en";

export const wordsFr: DaysWords = {
  title: "Prévoir mon prochain tour",
  lead: "Ces réponses sont jouées pour vous, une fois chacune, dès que la question se pose. Si une réponse n’est pas possible à ce moment-là, c’est vous qui décidez. Personne d’autre ne voit ce que vous prévoyez.",
  ask: "me demander",
  save: "Enregistrer",
  planned: (answers: string) => `Prévu : ${answers}`,
};
