/** Dragging: starting a drag picks the piece up, dropping it performs the choice at that place. */
import type { Choice, Piece } from "../generated/messages";
import type { Layout, Spot } from "./face";
import type { Point } from "./lens";
import { nearest, type Target } from "./targets";

/** The current layout and choices. */
export interface Sight {
  layout: Layout;
  pieces: readonly Piece[];
  choices: readonly Choice[];
  targets: readonly Target[];
  selected: Choice | null;
  /** The piece picked up, and the pieces that could be picked up instead. */
  taken: string | undefined;
  others: ReadonlySet<string>;
}

export interface Deeds {
  drags: (choice: Choice) => boolean;
  select: (choice: Choice) => void;
  play: (choice: Choice) => void;
  /** Picks up another piece instead. */
  instead: (piece: string) => void;
  drop: (target: Target) => void;
  /** Returns the pieces under a pointer. */
  under: (at: Point) => string[];
}

interface Grip {
  piece: Piece;
  spot: Spot;
  start: Point;
  take: (() => void) | null;
}

/** The distance after which a touch becomes a drag, in pixels. */
export const SLACK = 10;

export class Dragging {
  /** The dragged piece and its position. */
  carried = $state.raw<(Point & { piece: Piece; spot: Spot }) | null>(null);
  /** Whether the current touch has moved something, so that it does not end in a tap. */
  dragged = false;
  #grip: Grip | null = null;
  /** The choices when the drag started; the destinations are unknown until they change. */
  #before: readonly Choice[] | null = null;
  /** The place of a drop that came before the destinations were known. */
  #let: Point | null = null;

  constructor(
    private readonly look: () => Sight,
    private readonly deeds: Deeds,
  ) {}

  /** Whether a draggable piece is under the finger. */
  down(at: Point): boolean {
    this.cancel();
    this.dragged = false;
    const { layout, pieces, targets, taken, others } = this.look();
    const takes = new Map<string, (() => void) | null>();
    for (const id of others) takes.set(id, () => this.deeds.instead(id));
    for (const { id, choice } of targets) if (this.deeds.drags(choice)) takes.set(id, () => this.deeds.play(choice));
    if (taken) takes.set(taken, null);
    let least = Infinity;
    for (const piece of pieces) {
      const spot = layout.pieces.get(piece.id);
      const away = spot ? Math.hypot(at.x - spot.x, at.y - spot.y) : Infinity;
      if (!spot || !takes.has(piece.id) || away > Math.max(spot.size * 0.7, 16) || away >= least) continue;
      least = away;
      this.#grip = { piece, spot, start: at, take: takes.get(piece.id)! };
    }
    return this.#grip !== null;
  }

  /** Whether a drag is in progress. */
  move(at: Point): boolean {
    const grip = this.#grip;
    if (!grip) return false;
    if (!this.dragged && Math.hypot(at.x - grip.start.x, at.y - grip.start.y) > SLACK) {
      this.dragged = true;
      if (grip.take) this.#before = this.look().choices;
      grip.take?.();
    }
    if (!this.dragged) return false;
    this.carried = { piece: grip.piece, spot: grip.spot, ...at };
    const target = this.#under(at);
    if (target && target.choice !== this.look().selected) this.deeds.select(target.choice);
    return true;
  }

  up(at: Point): void {
    const moved = this.#grip !== null && this.dragged;
    if (!moved || !this.#waits()) {
      const target = moved ? this.#under(at) : undefined;
      this.cancel();
      if (target) this.deeds.drop(target);
      return;
    }
    // The drop may come before the server's answer: keep the piece there until then.
    this.#let = at;
  }

  /** The choices have changed. */
  changed(): void {
    if (!this.#let || this.#waits()) return;
    const target = this.#under(this.#let);
    this.cancel();
    if (target) this.deeds.drop(target);
  }

  cancel(): void {
    this.#grip = this.#before = this.#let = this.carried = null;
  }

  #waits(): boolean {
    const { choices } = this.look();
    return this.#before !== null && (choices.length === 0 || choices === this.#before);
  }

  /** The choice of a drop here; none near the start of the drag. */
  #under(at: Point): Target | undefined {
    if (this.#waits()) return undefined;
    const open = this.look().targets.filter(({ choice }) => !this.deeds.drags(choice));
    const on = this.deeds.under(at);
    // Long pieces such as boats are hit along their whole length.
    const target = open.find(({ id }) => on.includes(id)) ?? nearest(open, at.x, at.y);
    const home = this.#grip?.spot;
    const back = home && target && Math.hypot(at.x - home.x, at.y - home.y) < Math.hypot(at.x - target.spot.x, at.y - target.spot.y);
    return back ? undefined : target;
  }
}
