/** The lesson names under which puzzles run. */
const NAME = /^puzzle-(\d+)$/;

/** Returns the number of a puzzle from its name, or null. */
export function puzzleNumber(lesson: string | undefined): number | null {
  const found = NAME.exec(lesson ?? "");
  return found ? Number(found[1]) : null;
}

export const puzzleName = (number: number): string => `puzzle-${number}`;
