/** Compares a played turn with other whole turns, as `analysis/turn_analysis.py`: the best one is selected in some worlds, and its
 * advantage is measured in others. */
import type { PairedRollouts } from "../engine/paired_rollouts";
import { advised, type Line, type Turns } from "../engine/turns";
import {
  BATCHES,
  betterHalf,
  chancesOf,
  CONFIRMATION,
  FINALISTS,
  FRESH_WORLDS,
  lossless,
  meanOf,
  needsConfirmation,
  plus,
  ranked,
  turnMeasure,
  type BatchSums,
  type Correction,
  type RolloutSums,
  type Span,
  type TurnMeasure,
} from "../generated/arithmetic";

export interface Found extends TurnMeasure {
  /** The actions of the better turn; none if nothing better was found. */
  better: number[];
}

/** The fraction of the measured worlds in which alternatives are compared with each other. */
const SELECTION = 1 / 4;

export class TurnEvaluation {
  constructor(
    private readonly span: Span,
    private readonly views: readonly Uint8Array[],
    private readonly actions: readonly number[],
    private readonly options: readonly number[],
    private readonly seed: bigint,
  ) {}

  evaluate(turns: Turns, rollouts: PairedRollouts, selection: number, measure: number, correction: Correction): Found {
    const { span, seed } = this;
    const none: Found = { ...lossless(span), better: [] };
    let lines = this.#alternatives(turns, rollouts, selection);
    if (lines.length === 0) return none;
    const played: Line = { actions: [...this.actions], lastView: this.views.at(-1)!, end: "" };
    const sums = ({ lastView, actions }: Line, first: number, worlds: number): BatchSums =>
      rollouts.evaluateLast(lastView, seed, actions.at(-1)!, first, worlds);
    if (lines.length > 1) {
      const few = Math.max(BATCHES, Math.round(SELECTION * measure));
      const chances = lines.map((line) => chancesOf(correction, sums(line, 0, few)).chances[span.seat]!);
      lines = ranked(lines.map((_, number) => number), chances).map((number) => lines[number]!);
    }
    let found = lossless(span);
    for (const worlds of [measure, CONFIRMATION * measure]) {
      found = turnMeasure(span, correction, sums(played, FRESH_WORLDS, worlds), sums(lines[0]!, FRESH_WORLDS, worlds));
      if (!needsConfirmation(found)) break;
    }
    return found.loss > 0 ? { ...found, better: lines[0]!.actions } : none;
  }

  /** Other turns that end in other positions, one for each decision at most. */
  #alternatives(turns: Turns, rollouts: PairedRollouts, selection: number): Line[] {
    const { seat } = this.span;
    const ends = new Set([turns.follow(this.views.at(-1)!, seat, this.actions.at(-1)!).end]);
    return this.views.flatMap((view, place) => {
      if (this.options[place] === 1) return [];
      const best = this.#best(rollouts, place, selection);
      if (best === this.actions[place]) return [];
      const line = turns.complete(view, seat, this.actions.slice(0, place), best, advised(rollouts, this.seed));
      if (ends.has(line.end)) return [];
      ends.add(line.end);
      return [line];
    });
  }

  /** Selects the best candidate by sequential halving, doubling the worlds in each round. */
  #best(rollouts: PairedRollouts, place: number, selection: number): number {
    const view = this.views[place]!;
    const { actions } = rollouts.begin(view, this.seed);
    const mine = actions.indexOf(this.actions[place]!);
    let racing = actions.map((_, number) => number);
    let means: number[] = [];
    const known = new Map<number, RolloutSums>();
    for (let worlds = selection, done = 0; ; done += worlds, worlds *= 2) {
      const found = rollouts.evaluate(view, racing, done, worlds);
      racing.forEach((number, at) => known.set(number, known.has(number) ? plus(known.get(number)!, found[at]!) : found[at]!));
      means = actions.map((_, number) => meanOf(known.get(number)!, this.span.seat));
      racing = ranked(racing, means);
      if (racing.length <= FINALISTS) break;
      racing = betterHalf(racing);
    }
    // A candidate that is level with the best counts as the best if it was played.
    return actions[means[racing[0]!]! <= means[mine]! ? mine : racing[0]!]!;
  }
}
