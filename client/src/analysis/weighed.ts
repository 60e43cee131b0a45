/** One decision on the scales, as in `analysis/weighed.py`: the best is found in some worlds, what was lost is measured in others. */
import { corrected, slopeAt, type Correction } from "./correction";
import { gapError, meanOf, meansOf, plus, type Scales, type Tally } from "./scales";
import type { DecisionMeasure } from "./summing";

const FRESH = 2 ** 32;
const LAST = 2;
/** What looks like a mistake is measured again, in so many times as many worlds. */
const CONFIRM = 4;
const WORTH_A_LOOK = 0.03;

export interface Found extends DecisionMeasure {
  best: number;
  /** Of what was played and of the best, as shown. */
  chances: { played: number; best: number };
}

export class Weighed {
  #actions: number[] = [];
  #advice = 0;
  #best = 0;
  #chosenIn = 0;
  readonly #choice = new Map<number, Tally>();
  readonly #measured = new Map<number, Tally>();

  constructor(
    private readonly move: number,
    private readonly seat: number,
    private readonly view: Uint8Array,
    private readonly played: number,
    private readonly goesOn: boolean,
    private readonly seed: bigint,
  ) {}

  /** Weigh it as far as the budget goes, beyond what was done before. */
  weigh(scales: Scales, selection: number, measure: number, correction: Correction): Found {
    this.#choose(scales, selection);
    const done = Math.max(0, ...[...this.#measured.values()].map(({ worlds }) => worlds));
    if (measure > done) this.#measure(scales, measure - done);
    const found = this.#found(correction);
    if (found.gap <= Math.max(WORTH_A_LOOK, 2 * found.gap_error)) return found;
    this.#measure(scales, CONFIRM * measure);
    return this.#found(correction);
  }

  get #mine(): number {
    return this.#actions.indexOf(this.played);
  }

  #choose(scales: Scales, selection: number): void {
    const begun = scales.begin(this.view, this.seed);
    this.#actions = begun.actions;
    this.#advice = begun.advice;
    const mean = (number: number) => meanOf(this.#choice.get(number)!, this.seat);
    let racing = this.#actions.map((_, number) => number);
    let worlds = selection;
    for (;;) {
      scales.weigh(this.view, racing, this.#chosenIn, worlds).forEach((tally, place) => {
        const number = racing[place]!;
        this.#choice.set(number, plus(this.#choice.get(number), tally));
      });
      this.#chosenIn += worlds;
      racing = [...racing].sort((one, other) => mean(other) - mean(one) || one - other);
      if (racing.length <= LAST) break;
      racing = racing.slice(0, Math.ceil(racing.length / 2));
      worlds *= 2;
    }
    // Where the first are level, what was played is as good as any.
    const best = mean(racing[0]!) <= mean(this.#mine) ? this.#mine : racing[0]!;
    if (best !== this.#best) this.#measured.clear();
    this.#best = best;
  }

  #measure(scales: Scales, worlds: number): void {
    const numbers = [...new Set([this.#mine, this.#advice, this.#best])];
    if (numbers.length === 1) return;
    scales.begin(this.view, this.seed);
    const have = this.#measured.get(this.#mine)?.worlds ?? 0;
    scales.weigh(this.view, numbers, FRESH + have, worlds).forEach((tally, place) => {
      const number = numbers[place]!;
      this.#measured.set(number, plus(this.#measured.get(number), tally));
    });
  }

  #found(correction: Correction): Found {
    const { move, seat, goesOn: goes_on } = this;
    const best = this.#actions[this.#best]!;
    const any = this.#choice.get(this.#mine)!;
    if (this.#measured.size === 0) {
      const none = any.shares.map(() => 0);
      const chance = corrected(correction, meansOf(any))[seat]!;
      const chances = { played: chance, best: chance };
      return { move, seat, gap: 0, gap_error: 0, play: none, play_errors: none, goes_on, best, chances };
    }
    const [played, first, advised] = [this.#mine, this.#best, this.#advice].map((number) => this.#measured.get(number)!) as [Tally, Tally, Tally];
    const shown = corrected(correction, meansOf(played));
    const policy = corrected(correction, meansOf(advised));
    const most = corrected(correction, meansOf(first))[seat]!;
    return {
      move,
      seat,
      gap: most - shown[seat]!,
      gap_error: slopeAt(correction, meansOf(first), seat) * gapError(first, played, seat),
      play: shown.map((chance, other) => chance - policy[other]!),
      play_errors: shown.map((_, other) => slopeAt(correction, meansOf(advised), other) * gapError(advised, played, other)),
      goes_on,
      best,
      chances: { played: shown[seat]!, best: most },
    };
  }
}
