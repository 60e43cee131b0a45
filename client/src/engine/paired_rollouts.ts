/** Rollouts of several candidates in common worlds, by the engine (`bots/search/seq_halving.py`). */
import { BATCHES, type BatchSums, type RolloutSums } from "../generated/arithmetic";
import { MOST_CANDIDATES, MOST_SEATS, SEARCH_STATES, SUM_PARTS } from "../generated/engine_sizes";
import type { List, RulesModule } from "./rules_module";
import { NUMBER, SearchMemory } from "./search_memory";

/** What `begin_evaluation` writes before the candidates: their number, and that of the policy's choice. */
const HEADER = 2;
/** The horizon of rollouts to the end of the game. */
export const TO_THE_END = -1;

/** The number of worlds in each batch. */
export const batchSize = (worlds: number): number => Math.max(1, Math.round(worlds / BATCHES));

export class PairedRollouts {
  readonly #memory: SearchMemory;
  readonly #found: List;
  readonly #numbers: number;
  readonly #sums: number;

  constructor(
    private readonly rules: RulesModule,
    private readonly seats: number,
    private readonly horizon: number,
  ) {
    this.#memory = new SearchMemory(rules, "evaluate_candidates", SEARCH_STATES);
    this.#found = rules.list(NUMBER, HEADER + MOST_CANDIDATES);
    this.#numbers = rules.room(NUMBER * MOST_CANDIDATES);
    this.#sums = rules.room(NUMBER * (MOST_CANDIDATES + 1) * SUM_PARTS * MOST_SEATS);
  }

  /** The candidates in a view, and the number of the policy's choice among them. */
  begin(view: Uint8Array, seed: bigint): { actions: number[]; advice: number } {
    const { rules, seats, horizon } = this;
    const { states, actions, threads, choices } = this.#memory;
    this.#memory.put(view);
    rules.call("begin_evaluation", states, actions, threads, seats, horizon, seed, choices, this.#found);
    const found = (place: number) => Number(rules.view.getBigInt64(this.#found.at + place * NUMBER, true));
    return { actions: Array.from({ length: found(0) }, (_, number) => found(HEADER + number)), advice: found(1) };
  }

  /** Evaluates candidates of the view passed to `begin`, in worlds of a view or a position. */
  evaluate(root: Uint8Array, numbers: readonly number[], first: number, worlds: number): RolloutSums[] {
    const { rules } = this;
    const { states, actions, features, threads, chance, choices } = this.#memory;
    this.#memory.put(root);
    const count = numbers.length;
    numbers.forEach((number, place) => rules.view.setBigInt64(this.#numbers + place * NUMBER, BigInt(number), true));
    const columns = SUM_PARTS * this.seats;
    rules.bytes.fill(0, this.#sums, this.#sums + NUMBER * (count + 1) * columns);
    const wanted = { at: this.#numbers, shape: [count] };
    const sums = { at: this.#sums, shape: [count + 1, columns] };
    rules.call("evaluate_candidates", states, actions, features, threads, wanted, count, chance, choices, first, worlds, sums);
    const row = (place: number, part: number) =>
      Array.from({ length: this.seats }, (_, seat) => rules.view.getFloat64(this.#sums + NUMBER * (place * columns + part * this.seats + seat), true));
    return numbers.map((_, place) => ({ worlds, shares: row(place, 0), squares: row(place, 1), gaps: row(place, 2) }));
  }

  /** Evaluates one action in worlds of a view, by batch. */
  evaluateLast(view: Uint8Array, seed: bigint, action: number, first: number, worlds: number): BatchSums {
    const number = this.begin(view, seed).actions.indexOf(action);
    const size = batchSize(worlds);
    const shares = Array.from({ length: BATCHES }, (_, batch) => this.evaluate(view, [number], first + batch * size, size)[0]!.shares);
    return { worlds: size, shares };
  }
}
