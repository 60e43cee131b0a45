/** The evaluation of one decision, as in `analysis/decision_analysis.py`: the best candidate is selected in some worlds, and its
 * advantage is measured in others. */
import {
  betterHalf,
  CONFIRMATION,
  corrected,
  FINALISTS,
  FRESH_WORLDS,
  meanOf,
  meansOf,
  measured,
  needsConfirmation,
  plus,
  ranked,
  unmeasured,
  type Correction,
  type DecisionMeasure,
  type RolloutSums,
} from "../generated/arithmetic";
import type { PairedRollouts } from "./paired_rollouts";

export interface Found extends DecisionMeasure {
  best: number;
  /** Displayed chances of the played candidate and of the best. */
  chances: { played: number; best: number };
}

type Sums = Map<number, RolloutSums>;

export class DecisionEvaluation {
  #actions: number[] = [];
  #advice = 0;
  #best = 0;
  #chosenIn = 0;
  readonly #choice: Sums = new Map();
  readonly #measured: Sums = new Map();

  constructor(
    private readonly move: number,
    private readonly seat: number,
    private readonly view: Uint8Array,
    private readonly played: number,
    private readonly goesOn: boolean,
    private readonly seed: bigint,
  ) {}

  /** Evaluates the decision as far as the budget goes, beyond what was done before. */
  evaluate(rollouts: PairedRollouts, selection: number, measure: number, correction: Correction): Found {
    this.#choose(rollouts, selection);
    const done = Math.max(0, ...[...this.#measured.values()].map(({ worlds }) => worlds));
    if (measure > done) this.#measure(rollouts, measure - done);
    const found = this.#found(correction);
    if (!needsConfirmation(found)) return found;
    this.#measure(rollouts, CONFIRMATION * measure);
    return this.#found(correction);
  }

  get #mine(): number {
    return this.#actions.indexOf(this.played);
  }

  #choose(rollouts: PairedRollouts, selection: number): void {
    const begun = rollouts.begin(this.view, this.seed);
    this.#actions = begun.actions;
    this.#advice = begun.advice;
    let racing = this.#actions.map((_, number) => number);
    let means: number[] = [];
    for (let worlds = selection; ; worlds *= 2) {
      addAll(this.#choice, racing, rollouts.evaluate(this.view, racing, this.#chosenIn, worlds));
      this.#chosenIn += worlds;
      means = this.#actions.map((_, number) => meanOf(this.#choice.get(number)!, this.seat));
      racing = ranked(racing, means);
      if (racing.length <= FINALISTS) break;
      racing = betterHalf(racing);
    }
    // A candidate that is level with the best counts as the best if it was played.
    const best = means[racing[0]!]! <= means[this.#mine]! ? this.#mine : racing[0]!;
    if (best !== this.#best) this.#measured.clear();
    this.#best = best;
  }

  #measure(rollouts: PairedRollouts, worlds: number): void {
    const numbers = [...new Set([this.#mine, this.#advice, this.#best])];
    if (numbers.length === 1) return;
    rollouts.begin(this.view, this.seed);
    const have = this.#measured.get(this.#mine)?.worlds ?? 0;
    addAll(this.#measured, numbers, rollouts.evaluate(this.view, numbers, FRESH_WORLDS + have, worlds));
  }

  #found(correction: Correction): Found {
    const { move, seat, goesOn } = this;
    const action = this.#actions[this.#best]!;
    const chance = (sums: RolloutSums) => corrected(correction, meansOf(sums))[seat]!;
    const any = this.#choice.get(this.#mine)!;
    const blank = unmeasured(move, seat, any.shares.length, goesOn);
    if (this.#measured.size === 0) return { ...blank, best: action, chances: { played: chance(any), best: chance(any) } };
    const [played, best, advised] = [this.#mine, this.#best, this.#advice].map((number) => this.#measured.get(number)!) as [
      RolloutSums,
      RolloutSums,
      RolloutSums,
    ];
    const found = measured(blank, correction, played, best, advised);
    return { ...found, best: action, chances: { played: chance(played), best: chance(best) } };
  }
}

function addAll(known: Sums, numbers: readonly number[], found: readonly RolloutSums[]): void {
  numbers.forEach((number, place) => {
    const before = known.get(number);
    known.set(number, before ? plus(before, found[place]!) : found[place]!);
  });
}
