/** Texts of lessons and of the guide beyond each game's own. */
export const wordsEn = {
  step: (n: number, of: number) => `Step ${n} of ${of}`,
  next: "Continue",
  later: "A later turn",
  answers: "Your answer",
  over: "That is all you need",
  firstGame: "Play a first game",
  nextLesson: (title: string) => `Next lesson: ${title}`,
  invitation: "Back to the invitation",
  home: "Back to the home page",
  changed: "This lesson has been rewritten since you began it.",
  again: "Start again",
  guide: "The guide",
  idle: "Tap a piece or a space to read its rules.",
  understood: "OK",
  away: "No more tips",
  whole: "Show the whole tip",
  lessons: "Learn by playing",
  learned: "done",
};

export type LessonWords = typeof wordsEn;
