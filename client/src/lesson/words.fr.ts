import type { LessonWords } from "./words.en";

export const wordsFr: LessonWords = {
  step: (n: number, of: number) => `Étape ${n} sur ${of}`,
  next: "Continuer",
  later: "Plus tard dans la partie",
  answers: "Votre réponse",
  over: "Vous savez l’essentiel",
  firstGame: "Jouer une première partie",
  nextLesson: (title: string) => `Leçon suivante : ${title}`,
  invitation: "Revenir à l’invitation",
  home: "Retour à l’accueil",
  changed: "Cette leçon a été récrite depuis que vous l’avez commencée.",
  again: "Recommencer",
  guide: "Le guide",
  idle: "Touchez une pièce ou une case pour lire ses règles.",
  understood: "Compris",
  away: "Plus de conseils",
  whole: "Lire la suite",
  lessons: "Apprendre en jouant",
  learned: "faite",
};
