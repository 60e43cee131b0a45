/** Puzzles are run like lessons, under names of their own. */
const NAME = /^puzzle-(\d+)$/;

/** The number of a puzzle by its name; null where it is none. */
export function puzzleNumber(lesson: string | undefined): number | null {
  const found = NAME.exec(lesson ?? "");
  return found ? Number(found[1]) : null;
}

export const puzzleName = (number: number): string => `puzzle-${number}`;
