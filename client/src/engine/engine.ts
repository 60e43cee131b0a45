/**
 * The engine of a game (see `bots/engine`): search and rollouts from a seat's view, in steps. All results
 * are sums over simulations, so that the results of several searches can be added.
 */
import { RulesModule, type List } from "./rules_module";

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
  hopes: number[][];
}

// As in `bots/search` and `bots/engine/engine_program.py`.
const MOST_CANDIDATES = 512;
const MOST_FEATURES = 96;
const COLUMNS = 5;
const SEARCH_STATES = 3;
// As in `bots/rollouts.py`.
const PLAYOUT_STATES = 4;
const WIN = 2520;
const MOST_DECISIONS = 100_000;
const MOST_SEATS = 10;
const MOST_HOPES = 4;

const NUMBER = 8;
const NONE = -1;

export class Engine {
  readonly #rules: RulesModule;
  readonly #size: number;
  readonly #states: List;
  readonly #actions: List;
  readonly #features: List;
  readonly #threads: List;
  readonly #found: List;
  readonly #chance: number;
  readonly #choices: number;
  readonly #undecided: number;
  readonly #counts: number;

  constructor(rules: RulesModule) {
    this.#rules = rules;
    this.#size = rules.sizeOf("explore", 0);
    this.#states = rules.list(this.#size, Math.max(SEARCH_STATES, PLAYOUT_STATES));
    this.#actions = rules.list(NUMBER, MOST_CANDIDATES);
    this.#features = rules.list(NUMBER, MOST_FEATURES);
    this.#threads = rules.list(rules.sizeOf("explore", 3), 1);
    this.#found = rules.list(NUMBER, MOST_CANDIDATES, COLUMNS);
    const stream = rules.sizeOf("explore", 6);
    this.#chance = rules.room(stream);
    this.#choices = rules.room(stream);
    const rows = (1 + MOST_HOPES) * MOST_SEATS * NUMBER;
    this.#undecided = rules.room(rows);
    this.#counts = rules.room(rows);
  }

  /** Starts a search for the seat to move in a view. Throws if the view is invalid. */
  begin(view: Uint8Array, seats: number, simulations: number, seed: bigint): void {
    this.#look(view);
    this.#rules.call("begin_search", this.#states, this.#actions, this.#threads, seats, simulations, seed, this.#choices);
  }

  /** Runs at most that many simulations and returns their number; fewer mean that the search is over. */
  explore(most: number): number {
    const { rules, states, actions, features, threads } = this.#room;
    let left = most;
    for (;;) {
      const made = Number(rules.call("explore", states, actions, features, threads, 0, 1, this.#chance, this.#choices, left));
      if (made === left) return most;
      left -= made;
      if (!rules.call("halve", threads, 1)) return most - left;
    }
  }

  /** The results so far, best first. */
  get found(): Tried[] {
    const count = Number(this.#rules.call("read_statistics", this.#threads, this.#found));
    const { view } = this.#rules;
    return Array.from({ length: count }, (_, place) => {
      const at = (column: number) => view.getFloat64(this.#found.at + (place * COLUMNS + column) * NUMBER, true);
      return { action: at(0), visits: at(1), won: at(2), worth: at(3), squares: at(4) };
    });
  }

  /** Runs rollouts from a view with the engine's policy in every seat, numbered from `first` for a seed.
   * The seat to move starts with `action`, if given. */
  playOut(view: Uint8Array, seats: number, hopes: number, seed: bigint, first: number, playouts: number, action: number | null = null): PlayedOut {
    if (hopes > MOST_HOPES || seats > MOST_SEATS) throw new Error(`there is room for ${MOST_HOPES} hopes of ${MOST_SEATS} seats`);
    this.#look(view);
    const { rules, states, actions } = this.#room;
    const shape = [1 + hopes, seats];
    const [undecided, counts] = [{ at: this.#undecided, shape }, { at: this.#counts, shape }];
    rules.bytes.fill(0, counts.at, counts.at + (1 + hopes) * seats * NUMBER);
    const streams = [this.#chance, this.#choices];
    rules.call("roll_out", states, actions, 0, action ?? NONE, ...streams, seats, hopes, MOST_DECISIONS, seed, first, playouts, undecided, counts);
    const row = (number: number, whole: number) =>
      Array.from({ length: seats }, (_, seat) => Number(rules.view.getBigInt64(counts.at + (number * seats + seat) * NUMBER, true)) / whole);
    return { playouts, wins: row(0, WIN), hopes: Array.from({ length: hopes }, (_, hope) => row(1 + hope, 1)) };
  }

  get #room() {
    return { rules: this.#rules, states: this.#states, actions: this.#actions, features: this.#features, threads: this.#threads };
  }

  #look(view: Uint8Array): void {
    if (view.length !== this.#size) throw new Error(`a view has ${this.#size} bytes, not ${view.length}`);
    this.#rules.bytes.set(view, this.#states.at);
  }
}
