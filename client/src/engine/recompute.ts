/** Recomputes the chance of a finished game from its secret, with the checker of the game (see
 * `bots/engine/checker_program.py`): the same rules and the same draws as `archipel verify`. */
import type { Draws } from "../generated/messages";
import { RulesModule } from "./rules_module";

/** Bytes of a number, and of a key block. */
const NUMBER = 8;
const BLOCK = 64;
/** The labels of the draws of a live game, numbered by count or by purpose (`tables/log/fair_chance.py`). */
const LABEL = "archipel chance 1";
const DUPLICATE_LABEL = "archipel duplicate 1";
/** More legal actions than any game has in a position. */
const MOST_ACTIONS = 4096;
/** The first fields of `FairDraws` (`rules/fair_draws.py`), in numbers. */
const KEY = 0;
const COUNT = 33;
const OUTCOMES = 34;
const MOST_OUTCOMES = 1024;
const MESSAGE = OUTCOMES + MOST_OUTCOMES;

export interface Secret {
  secret: Uint8Array;
  nonces: readonly string[];
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Whether the deal, every outcome and the final scores are what the secret gives. */
export async function isRecomputed(checker: BufferSource, { secret, nonces }: Secret, draws: Draws, scores: readonly number[]): Promise<boolean> {
  const rules = await RulesModule.load(checker);
  const states = rules.list(rules.sizeOf("apply", 0), 1);
  const actions = rules.list(NUMBER, MOST_ACTIONS);
  const chance = rules.list(rules.sizeOf("derive_key", 0), 1);
  const put = (at: number, numbers: ArrayLike<number>): void => {
    const { view } = rules;
    for (let index = 0; index < numbers.length; index += 1) view.setBigInt64(chance.at + (at + index) * NUMBER, BigInt(numbers[index]!), true);
  };
  const number = (at: number): number => Number(rules.view.getBigInt64(chance.at + at * NUMBER, true));
  const isStateEqual = (expected: Uint8Array): boolean => {
    const { bytes } = rules;
    return expected.length === rules.sizeOf("apply", 0) && expected.every((byte, index) => bytes[states.at + index] === byte);
  };

  const text = new TextEncoder().encode([draws.by_purpose ? DUPLICATE_LABEL : LABEL, ...nonces].join("\n"));
  put(KEY, secret);
  put(MESSAGE + BLOCK, text);
  rules.call("derive_key", chance, text.length, draws.by_purpose ? 1 : 0);

  const before = bytesOf(draws.before);
  if (before.length !== rules.sizeOf("apply", 0)) throw new Error("the checker is of another game");
  rules.bytes.set(before, states.at);
  rules.call(draws.given ? "deal_unseen" : "set_up", states.at, chance.at);
  if (!isStateEqual(bytesOf(draws.dealt))) return false;

  for (const { action, outcomes } of draws.moves) {
    const count = Number(rules.call("legal", states.at, actions));
    const isLegal = Array.from({ length: count }, (_, index) => Number(rules.view.getBigInt64(actions.at + index * NUMBER, true))).includes(action);
    if (!isLegal) return false;
    put(COUNT, [0]);
    rules.call("apply", states.at, action, chance.at);
    const drawn = number(COUNT);
    if (drawn > MOST_OUTCOMES) throw new Error("more outcomes than the checker keeps");
    if (drawn !== outcomes.length || outcomes.some((outcome, index) => outcome !== number(OUTCOMES + index))) return false;
  }
  const over = Number(rules.call("to_move", states.at)) < 0;
  return !over || scores.every((score, seat) => Number(rules.call("score", states.at, seat)) === score);
}
