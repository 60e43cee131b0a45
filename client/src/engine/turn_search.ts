/** Finds the best whole turns of a seat: a search at each decision, then rollouts from the end of each turn. */
import { plus, type RolloutSums } from "../generated/arithmetic";
import type { Engine, Tried } from "./engine";
import { PairedRollouts } from "./paired_rollouts";
import type { TriedTurn } from "./ranking";
import type { RulesModule } from "./rules_module";
import { LONGEST_TURN, Turns } from "./turns";
import type { Sight } from "./worker_messages";

/** The number of turns that are completed, from the best first actions and from variations of the best turn. */
const MOST_OPENINGS = 4;
const MOST_VARIATIONS = 4;
/** Simulations of the first searches, and worlds of the first evaluations; each pass has twice as many, up to a limit. */
const FIRST = 48;
const LARGEST = 1536;

export class TurnSearch {
  readonly #engine: Engine;
  readonly #turns: Turns;
  readonly #rollouts: PairedRollouts;
  readonly #seats: number;
  simulations = 0;

  constructor(rules: RulesModule, engine: Engine, { seats, horizon }: Sight) {
    this.#engine = engine;
    this.#turns = new Turns(rules);
    this.#rollouts = new PairedRollouts(rules, seats, horizon);
    this.#seats = seats;
  }

  /** One pass, in steps: after each one the caller may pause or stop. The result comes last. */
  *pass({ view, seat }: Sight, first: bigint, number: number): Generator<void, TriedTurn[]> {
    const budget = Math.min(LARGEST, FIRST << Math.min(number, 16));
    const seed = first + BigInt(number);
    const searches: { view: Uint8Array; found: Tried[] }[] = [];
    const lines = new Map<string, { actions: number[]; lastView: Uint8Array }>();
    const complete = function* (this: TurnSearch, from: Uint8Array, before: number[], action: number, keep: boolean): Generator<void, void> {
      const actions = [...before, action];
      for (let at = from; ; ) {
        const following = this.#turns.follow(at, seat, actions.at(-1)!);
        if (!following.view || actions.length >= LONGEST_TURN) {
          const known = lines.get(following.end);
          if (!known || known.actions.length > actions.length) lines.set(following.end, { actions, lastView: at });
          return;
        }
        at = following.view;
        const found = yield* this.#search(at, budget, seed);
        if (keep) searches.push({ view: at, found });
        actions.push(found[0]!.action);
      }
    }.bind(this);

    const root = yield* this.#search(view, budget, seed);
    searches.push({ view, found: root });
    for (const [place, { action }] of root.slice(0, MOST_OPENINGS).entries()) yield* complete(view, [], action, place === 0);
    // Variations of the best turn: another choice at each of its decisions.
    const best = searches.map(({ found }) => found[0]!.action);
    const others = searches.slice(1).flatMap(({ view: at, found }, place) => (found[1] ? [{ at, before: best.slice(0, place + 1), other: found[1] }] : []));
    others.sort((one, another) => another.other.worth / another.other.visits - one.other.worth / one.other.visits);
    for (const { at, before, other } of others.slice(0, MOST_VARIATIONS)) yield* complete(at, before, other.action, false);

    const turns: TriedTurn[] = [];
    for (const [end, { actions, lastView }] of lines) {
      const last = this.#rollouts.begin(lastView, seed).actions.indexOf(actions.at(-1)!);
      let sums: RolloutSums | null = null;
      for (let done = 0; done < budget; done += FIRST) {
        const more = this.#rollouts.evaluate(lastView, [last], done, Math.min(FIRST, budget - done))[0]!;
        sums = sums ? plus(sums, more) : more;
        this.simulations += more.worlds;
        yield;
      }
      turns.push({ actions, end, sums: sums! });
    }
    return turns;
  }

  /** The view before the last action of a turn. */
  lastView({ view, seat }: Sight, actions: readonly number[]): Uint8Array {
    return this.#turns.complete(view, seat, [], actions[0]!, (_, place) => actions[place]!).lastView;
  }

  /** The candidates in a view, best first. */
  *#search(view: Uint8Array, simulations: number, seed: bigint): Generator<void, Tried[]> {
    this.#engine.begin(view, this.#seats, simulations, seed);
    for (;;) {
      const made = this.#engine.explore(PIECE);
      this.simulations += made;
      yield;
      if (made < PIECE) return this.#engine.found.filter(({ visits }) => visits > 0);
    }
  }
}

/** Simulations in a step. */
const PIECE = 16;
