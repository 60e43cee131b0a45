/** The scales on which positions and candidates are weighed: `bots/weighing.py` in the engine's module. */
import type { List, RulesModule } from "../engine/rules_module";

// As in `bots/search` and `bots/weighing.py`.
const MOST_CANDIDATES = 512;
const MOST_FEATURES = 96;
const MOST_SEATS = 10;
const STATES = 3;
const PARTS = 3;
const TOLD = 2;
const NUMBER = 8;
/** A horizon for what is played to its end. */
export const TO_THE_END = -1;

/** Sums over worlds, a number for each seat; gaps are squared differences from the first of those weighed together. */
export interface Tally {
  worlds: number;
  shares: number[];
  squares: number[];
  gaps: number[];
}

export class Scales {
  readonly #rules: RulesModule;
  readonly #size: number;
  readonly #states: List;
  readonly #actions: List;
  readonly #features: List;
  readonly #strands: List;
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
    this.#size = rules.sizeOf("weigh", 0);
    this.#states = rules.list(this.#size, STATES);
    this.#actions = rules.list(NUMBER, MOST_CANDIDATES);
    this.#features = rules.list(NUMBER, MOST_FEATURES);
    this.#strands = rules.list(rules.sizeOf("weigh", 3), 1);
    this.#told = rules.list(NUMBER, TOLD + MOST_CANDIDATES);
    const stream = rules.sizeOf("weigh", 6);
    this.#chance = rules.room(stream);
    this.#choices = rules.room(stream);
    this.#numbers = rules.room(NUMBER * MOST_CANDIDATES);
    this.#sums = rules.room(NUMBER * (MOST_CANDIDATES + 1) * PARTS * MOST_SEATS);
  }

  /** The candidates in a view of the seat to move, and the number of the policy's choice. */
  begin(view: Uint8Array, seed: bigint): { actions: number[]; advice: number } {
    this.#put(view);
    const { seats, horizon } = this;
    this.#rules.call("begin_weighing", this.#states, this.#actions, this.#strands, seats, horizon, seed, this.#choices, this.#told);
    const told = (place: number) => Number(this.#rules.view.getBigInt64(this.#told.at + place * NUMBER, true));
    return { actions: Array.from({ length: told(0) }, (_, number) => told(TOLD + number)), advice: told(1) };
  }

  /** Some candidates of the view that it began with, in a view or a whole position. */
  weigh(root: Uint8Array, numbers: readonly number[], first: number, worlds: number): Tally[] {
    this.#put(root);
    const count = numbers.length;
    const { view } = this.#rules;
    numbers.forEach((number, place) => view.setBigInt64(this.#numbers + place * NUMBER, BigInt(number), true));
    const columns = PARTS * this.seats;
    this.#rules.bytes.fill(0, this.#sums, this.#sums + NUMBER * (count + 1) * columns);
    const wanted = { at: this.#numbers, shape: [count] };
    const sums = { at: this.#sums, shape: [count + 1, columns] };
    const room = [this.#states, this.#actions, this.#features, this.#strands] as const;
    this.#rules.call("weigh", ...room, wanted, count, this.#chance, this.#choices, first, worlds, sums);
    const row = (place: number, part: number) =>
      Array.from({ length: this.seats }, (_, seat) =>
        this.#rules.view.getFloat64(this.#sums + NUMBER * (place * columns + part * this.seats + seat), true),
      );
    return numbers.map((_, place) => ({ worlds, shares: row(place, 0), squares: row(place, 1), gaps: row(place, 2) }));
  }

  /** The position after an action, and what the seat sees of it; null where chance came in or the seat decides no more. */
  after(state: Uint8Array, action: number, seat: number): { state: Uint8Array; view: Uint8Array } | null {
    const rules = this.#rules;
    this.#put(state);
    const [first, second] = [this.#states.at, this.#states.at + this.#size];
    rules.bytes.fill(0, this.#chance, this.#chance + rules.sizeOf("weigh", 6));
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

const added = (left: readonly number[], right: readonly number[]) => left.map((number, place) => number + right[place]!);

export function plus(one: Tally | undefined, other: Tally): Tally {
  if (!one) return other;
  return {
    worlds: one.worlds + other.worlds,
    shares: added(one.shares, other.shares),
    squares: added(one.squares, other.squares),
    gaps: added(one.gaps, other.gaps),
  };
}

export const meansOf = ({ shares, worlds }: Tally): number[] => shares.map((share) => share / worlds);
export const meanOf = (tally: Tally, seat: number): number => tally.shares[seat]! / tally.worlds;

const errorOf = (variance: number, worlds: number) => Math.sqrt(Math.max(0, variance) / Math.max(1, worlds - 1));

/** The standard error of a mean. */
export const meanError = (tally: Tally, seat: number): number =>
  errorOf(tally.squares[seat]! / tally.worlds - meanOf(tally, seat) ** 2, tally.worlds);

/** The standard error of the difference from the first that was weighed together with it. */
export const gapError = (tally: Tally, first: Tally, seat: number): number =>
  errorOf(tally.gaps[seat]! / tally.worlds - (meanOf(tally, seat) - meanOf(first, seat)) ** 2, tally.worlds);
