/** The lessons finished on this device, and the games played on it. */
import { finishedGames } from "../lib/history";
import { remember, remembered } from "../lib/storage";
import { keptTables } from "../lib/tables";
import type { GameDescription } from "../generated/messages";

export const learned = (game: string): string[] => remembered<Record<string, string[]>>("learned", {})[game] ?? [];

export function noteLearned(game: string, lesson: string): void {
  const all = remembered<Record<string, string[]>>("learned", {});
  if (!all[game]?.includes(lesson)) remember("learned", { ...all, [game]: [...(all[game] ?? []), lesson] });
}

/** Whether to recommend a lesson first. */
export const learnFirst = ({ name, lessons }: GameDescription): boolean =>
  lessons.length > 0 && learned(name).length === 0 && !hasPlayed(name);

/** Whether this game was played on this device, apart from lessons. */
export const hasPlayed = (game: string): boolean =>
  finishedGames().some((each) => each.game === game) || Object.values(keptTables()).some((kept) => kept.game === game && !kept.lesson);
