/** Whole turns: all actions of a seat until chance is drawn, something is revealed, or another seat decides
 * (as in `analysis/turn_analysis.py`). */
import type { PairedRollouts } from "./paired_rollouts";
import type { RulesModule } from "./rules_module";

/** The limit of the actions in a turn. */
export const LONGEST_TURN = 24;
/** The number of worlds in which an action is tried, to see whether it reveals something. */
const TRIED_WORLDS = 3;
const NUMBER = 8;

/** What follows an action: the seat's next view, or null if the turn ends with the action. Actions with
 * equal `end` lead to the same position. */
export interface Following {
  view: Uint8Array | null;
  end: string;
}

/** A whole turn: its actions, and the seat's view before the last of them. */
export interface Line {
  actions: number[];
  lastView: Uint8Array;
  end: string;
}

export class Turns {
  readonly #rules: RulesModule;
  readonly #size: number;
  readonly #world: number;
  readonly #seen: number;
  readonly #chance: number;
  readonly #chanceSize: number;

  constructor(rules: RulesModule) {
    this.#rules = rules;
    this.#size = rules.sizeOf("apply", 0);
    this.#world = rules.room(this.#size);
    this.#seen = rules.room(this.#size);
    this.#chanceSize = rules.sizeOf("apply", 2);
    this.#chance = rules.room(this.#chanceSize);
  }

  /** Applies an action to a seat's view, in several worlds that fit the view. */
  follow(view: Uint8Array, seat: number, action: number): Following {
    const rules = this.#rules;
    const unknown = { view: null, end: `${keyOf(view)} ${action}` };
    let first: Uint8Array | null = null;
    let mover = seat;
    for (let number = 0; number < TRIED_WORLDS; number += 1) {
      rules.bytes.set(view, this.#world);
      this.#draw(BigInt(number));
      rules.call("deal_unseen", this.#world, this.#chance);
      this.#draw(0n);
      rules.call("apply", this.#world, action, this.#chance);
      if (rules.view.getBigUint64(this.#chance + NUMBER, true) !== 0n) return unknown;
      mover = Number(rules.call("to_move", this.#world));
      rules.bytes.copyWithin(this.#seen, this.#world, this.#world + this.#size);
      rules.call("view", this.#world, seat, this.#seen);
      const seen = rules.bytes.slice(this.#seen, this.#seen + this.#size);
      if (first && seen.some((byte, place) => byte !== first![place])) return unknown; // revealed
      first ??= seen;
    }
    return { view: mover === seat ? first : null, end: keyOf(first!) };
  }

  /** Completes a turn after an action by `choose`; `before` came before the action. */
  complete(view: Uint8Array, seat: number, before: readonly number[], action: number, choose: (view: Uint8Array, place: number) => number): Line {
    const actions = [...before, action];
    for (;;) {
      const following = this.follow(view, seat, actions.at(-1)!);
      if (!following.view || actions.length >= LONGEST_TURN) return { actions, lastView: view, end: following.end };
      view = following.view;
      actions.push(choose(view, actions.length));
    }
  }

  /** Starts a random stream. */
  #draw(key: bigint): void {
    this.#rules.bytes.fill(0, this.#chance, this.#chance + this.#chanceSize);
    this.#rules.view.setBigUint64(this.#chance, key, true);
  }
}

/** The choice of the policy. */
export const advised = (rollouts: PairedRollouts, seed: bigint) => (view: Uint8Array): number => {
  const { actions, advice } = rollouts.begin(view, seed);
  return actions[advice]!;
};

const keyOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
