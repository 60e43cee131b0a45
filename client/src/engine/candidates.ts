/** Sums the results of several searches by action and sorts them. */
import type { Tried } from "./engine";

/** An action with its win probability and standard error. */
export interface Candidate {
  action: number;
  visits: number;
  chance: number;
  error: number;
}

/** Sums over several searches. */
export class Tally {
  readonly #sums = new Map<number, Tried>();

  add(found: readonly Tried[]): void {
    for (const { action, visits, won, worth, squares } of found) {
      const sum = this.#sums.get(action) ?? { action, visits: 0, won: 0, worth: 0, squares: 0 };
      this.#sums.set(action, {
        action,
        visits: sum.visits + visits,
        won: sum.won + won,
        worth: sum.worth + worth,
        squares: sum.squares + squares,
      });
    }
  }

  /** The visited actions, best first: by visits, because a high mean of few visits may be luck. */
  get candidates(): Candidate[] {
    const tried = [...this.#sums.values()].filter(({ visits }) => visits > 0);
    const promise = ({ visits, worth }: Tried) => worth / visits - 1 / Math.sqrt(visits);
    return tried.sort((one, other) => promise(other) - promise(one)).map(candidateOf);
  }
}

function candidateOf({ action, visits, won, worth, squares }: Tried): Candidate {
  const mean = worth / visits;
  const spread = Math.max(0, squares / visits - mean * mean);
  return { action, visits, chance: won / visits, error: Math.sqrt(spread / visits) };
}

/** Whether one action is better than another, significantly and by a relevant amount. */
export const isPlainlyBetter = (one: Candidate, other: Candidate): boolean =>
  one.chance - other.chance > Math.max(0.03, 2.5 * Math.hypot(one.error, other.error));
