/** The daily puzzle: the same for everyone, from another game each day. */
import type { GameDescription } from "../generated/messages";

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
  // A step coprime to the number of puzzles visits all of them without starting with the easy ones.
  return { game: name, number: 1 + ((Math.floor(day / known.length) * stepThrough(puzzles)) % puzzles) };
}

/** Returns a number coprime to the count, slightly above a third of it. */
function stepThrough(count: number): number {
  let step = Math.max(1, Math.round(count * 0.38));
  while (common(step, count) > 1) step += 1;
  return step;
}

const common = (one: number, other: number): number => (other === 0 ? one : common(other, one % other));
