/** The puzzle of a day: the same for everyone, each day that of another game. */
import type { GameDescription } from "../messages";

const DAY = 24 * 60 * 60 * 1000;

export interface Daily {
  game: string;
  number: number;
}

export function dailyOf(games: readonly Pick<GameDescription, "name" | "puzzles">[], now: number): Daily | null {
  const known = games.filter(({ puzzles }) => puzzles > 0);
  if (known.length === 0) return null;
  const day = Math.floor(now / DAY);
  const { name, puzzles } = known[day % known.length]!;
  // One after the other would show the easy ones first: a step that comes to each of them.
  return { game: name, number: 1 + ((Math.floor(day / known.length) * stepThrough(puzzles)) % puzzles) };
}

/** A number that has nothing in common with how many there are, a little over a third of it. */
function stepThrough(count: number): number {
  let step = Math.max(1, Math.round(count * 0.38));
  while (common(step, count) > 1) step += 1;
  return step;
}

const common = (one: number, other: number): number => (other === 0 ? one : common(other, one % other));
