/** Texts of planned moves, loaded with them. */
export const wordsEn = {
  title: "Plan my next turn",
  lead: "These answers are played for you, each once, as soon as you are asked. An answer that is not possible then is left to you. Nobody else sees your plan.",
  ask: "ask me",
  save: "Save the plan",
  planned: (answers: string) => `Planned: ${answers}`,
};

export type DaysWords = typeof wordsEn;
