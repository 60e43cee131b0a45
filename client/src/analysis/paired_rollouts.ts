/** Rollouts of several candidates in common worlds, by the engine (`bots/search/seq_halving.py`). */
import type { List, RulesModule } from "../engine/rules_module";
import type { RolloutSums } from "../generated/arithmetic";

// As in `bots/search` and `bots/search/seq_halving.py`.
const MOST_CANDIDATES = 512;
const MOST_FEATURES = 96;
const MOST_SEATS = 10;
const STATES = 3;
const PARTS = 3;
const TOLD = 2;
const NUMBER = 8;
/** The horizon of rollouts to the end of the game. */
export const TO_THE_END = -1;

export class PairedRollouts {
  readonly #rules: RulesModule;
  readonly #size: number;
  readonly #states: List;
  readonly #actions: List;
  readonly #features: List;
  readonly #threads: List;
  readonly #told: List;
  readonly #chance: number;
  readonly #choices: number;
  readonly #numbers: number;
  readonly #sums: number;

  constructor(
    rules: RulesModule,
    private readonly seats: number,
    private readonly horizon: number,
  ) {
    this.#rules = rules;
    this.#size = rules.sizeOf("evaluate_candidates", 0);
    this.#states = rules.list(this.#size, STATES);
    this.#actions = rules.list(NUMBER, MOST_CANDIDATES);
    this.#features = rules.list(NUMBER, MOST_FEATURES);
    this.#threads = rules.list(rules.sizeOf("evaluate_candidates", 3), 1);
    this.#told = rules.list(NUMBER, TOLD + MOST_CANDIDATES);
    const stream = rules.sizeOf("evaluate_candidates", 6);
    this.#chance = rules.room(stream);
    this.#choices = rules.room(stream);
    this.#numbers = rules.room(NUMBER * MOST_CANDIDATES);
    this.#sums = rules.room(NUMBER * (MOST_CANDIDATES + 1) * PARTS * MOST_SEATS);
  }

  /** The candidates in a view, and the number of the policy's choice among them. */
  begin(view: Uint8Array, seed: bigint): { actions: number[]; advice: number } {
    this.#put(view);
    const { seats, horizon } = this;
    this.#rules.call("begin_evaluation", this.#states, this.#actions, this.#threads, seats, horizon, seed, this.#choices, this.#told);
    const told = (place: number) => Number(this.#rules.view.getBigInt64(this.#told.at + place * NUMBER, true));
    return { actions: Array.from({ length: told(0) }, (_, number) => told(TOLD + number)), advice: told(1) };
  }

  /** Evaluates candidates of the view passed to `begin`, in worlds of a view or a position. */
  evaluate(root: Uint8Array, numbers: readonly number[], first: number, worlds: number): RolloutSums[] {
    this.#put(root);
    const count = numbers.length;
    const { view } = this.#rules;
    numbers.forEach((number, place) => view.setBigInt64(this.#numbers + place * NUMBER, BigInt(number), true));
    const columns = PARTS * this.seats;
    this.#rules.bytes.fill(0, this.#sums, this.#sums + NUMBER * (count + 1) * columns);
    const wanted = { at: this.#numbers, shape: [count] };
    const sums = { at: this.#sums, shape: [count + 1, columns] };
    const room = [this.#states, this.#actions, this.#features, this.#threads] as const;
    this.#rules.call("evaluate_candidates", ...room, wanted, count, this.#chance, this.#choices, first, worlds, sums);
    const row = (place: number, part: number) =>
      Array.from({ length: this.seats }, (_, seat) =>
        this.#rules.view.getFloat64(this.#sums + NUMBER * (place * columns + part * this.seats + seat), true),
      );
    return numbers.map((_, place) => ({ worlds, shares: row(place, 0), squares: row(place, 1), gaps: row(place, 2) }));
  }

  /** The position after an action and the seat's view of it; null if chance was drawn or another seat decides. */
  after(state: Uint8Array, action: number, seat: number): { state: Uint8Array; view: Uint8Array } | null {
    const rules = this.#rules;
    this.#put(state);
    const [first, second] = [this.#states.at, this.#states.at + this.#size];
    rules.bytes.fill(0, this.#chance, this.#chance + rules.sizeOf("evaluate_candidates", 6));
    rules.call("apply", first, action, this.#chance);
    const drawn = rules.view.getBigUint64(this.#chance + NUMBER, true);
    if (drawn !== 0n || Number(rules.call("to_move", first)) !== seat) return null;
    rules.bytes.copyWithin(second, first, first + this.#size);
    rules.call("view", first, seat, second);
    const copy = (at: number) => rules.bytes.slice(at, at + this.#size);
    return { state: copy(first), view: copy(second) };
  }

  #put(state: Uint8Array): void {
    if (state.length !== this.#size) throw new Error(`a position has ${this.#size} bytes, not ${state.length}`);
    this.#rules.bytes.set(state, this.#states.at);
  }
}
