/** The puzzles solved on this device, and those whose solution was shown. */
import { remember, remembered } from "../lib/storage";

export type Fate = "solved" | "shown";
type Kept = Record<string, Record<string, Fate>>;

export const fatesOf = (game: string): Record<string, Fate> => remembered<Kept>("puzzles", {})[game] ?? {};

/** Records the first result only: a shown solution is not a solved puzzle. */
export function noteFate(game: string, puzzle: string, fate: Fate): void {
  const all = remembered<Kept>("puzzles", {});
  if (all[game]?.[puzzle]) return;
  remember("puzzles", { ...all, [game]: { ...all[game], [puzzle]: fate } });
}

/** Returns the next open puzzle, or the next one if none is open. */
export function nextOpen(game: string, after: number, count: number): number {
  const fates = fatesOf(game);
  const order = Array.from({ length: count }, (_, index) => ((after + index) % count) + 1);
  return order.find((number) => !fates[`puzzle-${number}`]) ?? order[0] ?? 1;
}
