/** Sums the results of several searches by turn and ranks the turns. */
import { meanError, meanOf, plus, type RolloutSums } from "../generated/arithmetic";

/** A whole turn with its results. Turns with equal `end` lead to the same position. */
export interface TriedTurn {
  actions: number[];
  end: string;
  sums: RolloutSums;
}

/** A turn with its win probability and standard error. */
export interface RankedTurn {
  actions: number[];
  chance: number;
  error: number;
}

/** Sums over several workers and passes. */
export class TurnTally {
  readonly #turns = new Map<string, TriedTurn>();

  add(found: readonly TriedTurn[]): void {
    for (const turn of found) {
      const known = this.#turns.get(turn.end);
      if (!known) this.#turns.set(turn.end, turn);
      else
        this.#turns.set(turn.end, {
          ...known,
          // Of several ways to the same position, the shortest.
          actions: turn.actions.length < known.actions.length ? turn.actions : known.actions,
          sums: plus(known.sums, turn.sums),
        });
    }
  }

  /** The turns, best first: by a lower bound, because a high mean in few worlds may be luck. */
  ranked(seat: number): RankedTurn[] {
    return [...this.#turns.values()]
      .map(({ actions, sums }) => ({ actions, chance: meanOf(sums, seat), error: meanError(sums, seat) }))
      .sort((one, other) => other.chance - other.error - (one.chance - one.error));
  }
}

/** Whether one turn is better than another, significantly and by a relevant amount. */
export const isPlainlyBetter = (one: RankedTurn, other: RankedTurn): boolean =>
  one.chance - other.chance > Math.max(0.03, 2.5 * Math.hypot(one.error, other.error));
