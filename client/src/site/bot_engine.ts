/** The decisions of bots by a game's engine, equal to those of a server for equal seeds (see
 * `archipel.tab.engine_bots`, which asks the questions). */
import { MOST_CANDIDATES, MOST_WEIGHTS, SEARCH_STATES, STATISTICS_COLUMNS } from "../generated/engine_sizes";
import type { List, RulesModule } from "../engine/rules_module";
import { NUMBER, SearchMemory } from "../engine/search_memory";

export type Question =
  | { type: "search"; view: string; seats: number; numbers: number[]; fractions: number[]; seed: string }
  | { type: "rule"; view: string; bot: number; legal: number[]; key: string };

export interface Answer {
  action: number;
  candidates: { action: number; visits: number; won: number }[];
}

/** Room for the settings of a level besides the weights. */
const MOST_SETTINGS = 32;

export class BotEngine {
  readonly #memory: SearchMemory;
  readonly #numbers: List;
  readonly #fractions: List;
  readonly #found: List;

  constructor(private readonly rules: RulesModule) {
    this.#memory = new SearchMemory(rules, "explore", SEARCH_STATES);
    this.#numbers = rules.list(NUMBER, MOST_SETTINGS);
    this.#fractions = rules.list(NUMBER, MOST_SETTINGS + MOST_WEIGHTS);
    this.#found = rules.list(NUMBER, MOST_CANDIDATES, STATISTICS_COLUMNS);
  }

  /** The decision of a bot, step by step: yields after about `piece()` simulations. */
  *decide(question: Question, piece: () => number): Generator<void, Answer> {
    this.#memory.put(Uint8Array.from(atob(question.view), (character) => character.charCodeAt(0)));
    if (question.type === "rule") return this.#byRule(question);
    const { rules } = this;
    const { states, actions, features, threads, chance, choices } = this.#memory;
    question.numbers.forEach((each, index) => rules.view.setBigInt64(this.#numbers.at + index * NUMBER, BigInt(each), true));
    question.fractions.forEach((each, index) => rules.view.setFloat64(this.#fractions.at + index * NUMBER, each, true));
    rules.call("begin_level", states, actions, threads, question.seats, this.#numbers, this.#fractions, BigInt(question.seed), choices);
    do {
      for (let most = piece(); Number(rules.call("explore", states, actions, features, threads, 0, 1, chance, choices, most)) === most; most = piece()) yield;
    } while (rules.call("halve", threads, 1));
    const action = Number(rules.call("choose_candidate", threads, choices));
    const count = Number(rules.call("read_statistics", threads, this.#found));
    const { view } = rules;
    const candidates = Array.from({ length: count }, (_, place) => {
      const at = (column: number) => view.getFloat64(this.#found.at + (place * STATISTICS_COLUMNS + column) * NUMBER, true);
      return { action: at(0), visits: at(1), won: at(2) };
    });
    return { action, candidates };
  }

  #byRule({ bot, legal, key }: Question & { type: "rule" }): Answer {
    const { rules } = this;
    const { states, actions, chance } = this.#memory;
    legal.forEach((each, index) => rules.view.setBigInt64(actions.at + index * NUMBER, BigInt(each), true));
    rules.view.setBigUint64(chance, BigInt(key), true);
    rules.view.setBigUint64(chance + NUMBER, 0n, true);
    const action = Number(rules.call("choose", states.at, bot, actions, legal.length, chance));
    return { action, candidates: [] };
  }
}
