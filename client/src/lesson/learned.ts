/** Which lessons have been finished on this device, and whether a game has been played here at all. */
import { finishedGames } from "../lib/history";
import { remember, remembered } from "../lib/storage";
import { keptTables } from "../lib/tables";
import type { GameDescription } from "../messages";

export const learned = (game: string): string[] => remembered<Record<string, string[]>>("learned", {})[game] ?? [];

export function noteLearned(game: string, lesson: string): void {
  const all = remembered<Record<string, string[]>>("learned", {});
  if (!all[game]?.includes(lesson)) remember("learned", { ...all, [game]: [...(all[game] ?? []), lesson] });
}

/** Whether somebody here would do well to learn the game first. */
export const learnFirst = ({ name, lessons }: GameDescription): boolean =>
  lessons.length > 0 && learned(name).length === 0 && !hasPlayed(name);

/** Whether somebody here has sat at a table of this game, other than to learn it. */
export const hasPlayed = (game: string): boolean =>
  finishedGames().some((each) => each.game === game) || Object.values(keptTables()).some((kept) => kept.game === game && !kept.lesson);
