/** The memory that searches and rollouts of an engine pass to its rules. */
import { MOST_CANDIDATES, MOST_FEATURES } from "../generated/engine_sizes";
import type { List, RulesModule } from "./rules_module";

/** The bytes of a number. */
export const NUMBER = 8;

export class SearchMemory {
  readonly states: List;
  readonly actions: List;
  readonly features: List;
  readonly threads: List;
  readonly chance: number;
  readonly choices: number;
  /** The bytes of a state. */
  readonly size: number;

  /** Room for a rule whose arguments begin as those of `explore`, with a number of states. */
  constructor(
    readonly rules: RulesModule,
    rule: "explore" | "evaluate_candidates",
    states: number,
  ) {
    this.size = rules.sizeOf(rule, 0);
    this.states = rules.list(this.size, states);
    this.actions = rules.list(NUMBER, MOST_CANDIDATES);
    this.features = rules.list(NUMBER, MOST_FEATURES);
    this.threads = rules.list(rules.sizeOf(rule, 3), 1);
    const stream = rules.sizeOf(rule, 6);
    this.chance = rules.room(stream);
    this.choices = rules.room(stream);
  }

  /** Writes the first state: a view or a position. */
  put(state: Uint8Array): void {
    if (state.length !== this.size) throw new Error(`a position has ${this.size} bytes, not ${state.length}`);
    this.rules.bytes.set(state, this.states.at);
  }
}
