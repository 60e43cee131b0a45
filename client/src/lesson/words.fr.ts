import type { LessonWords } from "./words.en";

export const wordsFr: LessonWords = {
  step: (n: number, of: number) => `Étape ${n} sur ${of}`,
  next: "Continuer",
  look: "Sur le plateau",
  over: "Vous savez l’essentiel",
  firstGame: "Jouer une première partie",
  nextLesson: (title: string) => `Leçon suivante : ${title}`,
  home: "À la page d’accueil",
  changed: "Cette leçon a été récrite depuis que vous l’avez commencée.",
  again: "La recommencer",
  guide: "Le guide",
  idle: "Touchez une pièce ou une case pour lire ses règles.",
  understood: "Compris",
  away: "Plus de conseils",
  lessons: "Apprendre en jouant",
  learned: "faite",
};
