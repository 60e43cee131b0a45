/**
 * The engine of a game (see `bots/engine`): search and rollouts from a seat's view, in steps. All results
 * are sums over simulations, so that the results of several searches can be added.
 */
import { MAX_DECISIONS, MOST_CANDIDATES, MOST_SEATS, PLAYED, ROLLOUT_STATES, SEARCH_STATES, STATISTICS_COLUMNS, WIN } from "../generated/engine_sizes";
import type { List, RulesModule } from "./rules_module";
import { NUMBER, SearchMemory } from "./search_memory";

/** Statistics of an action: its visits, and sums over them. */
export interface Tried {
  action: number;
  visits: number;
  won: number;
  worth: number;
  squares: number;
}

/** Results of rollouts: win shares by seat, and how often a seat reached each goal. */
export interface PlayedOut {
  playouts: number;
  wins: number[];
  goals: number[][];
}

const MOST_GOALS = 4;
const NONE = -1;

export class Engine {
  readonly #memory: SearchMemory;
  readonly #found: List;
  readonly #undecided: number;
  readonly #counts: number;

  constructor(private readonly rules: RulesModule) {
    this.#memory = new SearchMemory(rules, "explore", Math.max(SEARCH_STATES, ROLLOUT_STATES));
    this.#found = rules.list(NUMBER, MOST_CANDIDATES, STATISTICS_COLUMNS);
    const rows = (1 + MOST_GOALS) * MOST_SEATS * NUMBER;
    this.#undecided = rules.room(rows);
    this.#counts = rules.room(rows);
  }

  /** Starts a search for the seat to move in a view. Throws if the view is invalid. */
  begin(view: Uint8Array, seats: number, simulations: number, seed: bigint): void {
    const { states, actions, threads, choices } = this.#memory;
    this.#memory.put(view);
    this.rules.call("begin_search", states, actions, threads, seats, simulations, seed, choices);
  }

  /** Runs at most that many simulations and returns their number; fewer mean that the search is over. */
  explore(most: number): number {
    const { rules, states, actions, features, threads, chance, choices } = this.#memory;
    let left = most;
    for (;;) {
      const made = Number(rules.call("explore", states, actions, features, threads, 0, 1, chance, choices, left));
      if (made === left) return most;
      left -= made;
      if (!rules.call("halve", threads, 1)) return most - left;
    }
  }

  /** The results so far, best first. */
  get found(): Tried[] {
    const count = Number(this.rules.call("read_statistics", this.#memory.threads, this.#found));
    const { view } = this.rules;
    return Array.from({ length: count }, (_, place) => {
      const at = (column: number) => view.getFloat64(this.#found.at + (place * STATISTICS_COLUMNS + column) * NUMBER, true);
      return { action: at(0), visits: at(1), won: at(2), worth: at(3), squares: at(4) };
    });
  }

  /** Runs rollouts from a view with the engine's policy in every seat, numbered from `first` for a seed.
   * The seat to move starts with `action`, if given. */
  playOut(view: Uint8Array, seats: number, goals: number, seed: bigint, first: number, playouts: number, action: number | null = null): PlayedOut {
    if (goals > MOST_GOALS || seats > MOST_SEATS) throw new Error(`there is room for ${MOST_GOALS} goals of ${MOST_SEATS} seats`);
    const { rules, states, actions, chance, choices } = this.#memory;
    this.#memory.put(view);
    const shape = [1 + goals, seats];
    const [undecided, counts] = [{ at: this.#undecided, shape }, { at: this.#counts, shape }];
    rules.bytes.fill(0, counts.at, counts.at + (1 + goals) * seats * NUMBER);
    rules.call("roll_out", states, actions, 0, action ?? NONE, chance, choices, seats, goals, MAX_DECISIONS, seed, first, playouts, undecided, counts);
    const row = (number: number, whole: number) =>
      Array.from({ length: seats }, (_, seat) => Number(rules.view.getBigInt64(counts.at + (number * seats + seat) * NUMBER, true)) / whole);
    return { playouts, wins: row(0, WIN), goals: Array.from({ length: goals }, (_, goal) => row(1 + goal, 1)) };
  }

  /** The score of each seat at the end of one rollout from a view that starts with an action. */
  finalScores(view: Uint8Array, seats: number, seed: bigint, number: number, action: number): number[] {
    this.playOut(view, seats, 0, seed, number, 1, action);
    const played = this.#memory.states.at + PLAYED * this.#memory.size;
    return Array.from({ length: seats }, (_, seat) => Number(this.rules.call("score", played, seat)));
  }
}
