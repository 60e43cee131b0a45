/** Which puzzles have been solved on this device, and which were shown their solution. */
import { remember, remembered } from "../lib/storage";

export type Fate = "solved" | "shown";
type Kept = Record<string, Record<string, Fate>>;

export const fatesOf = (game: string): Record<string, Fate> => remembered<Kept>("puzzles", {})[game] ?? {};

/** What came first counts: whoever was shown the solution did not find it. */
export function noteFate(game: string, puzzle: string, fate: Fate): void {
  const all = remembered<Kept>("puzzles", {});
  if (all[game]?.[puzzle]) return;
  remember("puzzles", { ...all, [game]: { ...all[game], [puzzle]: fate } });
}

/** The next puzzle after this one that is still open; the next of all where none is. */
export function nextOpen(game: string, after: number, count: number): number {
  const fates = fatesOf(game);
  const order = Array.from({ length: count }, (_, index) => ((after + index) % count) + 1);
  return order.find((number) => !fates[`puzzle-${number}`]) ?? order[0] ?? 1;
}
