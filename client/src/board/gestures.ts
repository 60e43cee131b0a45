import type { Camera } from "./camera.svelte";
import { Dragging, SLACK, type Deeds, type Sight } from "./dragging.svelte";
import { placeOf, type Point } from "./lens";

export { crowdAt } from "./fan";
export { beyond, neighbour } from "./keyboard";

/** Touch gestures: one finger drags a piece or pans the zoomed board, two fingers zoom. */
export class Gestures {
  /** Whether the gesture moved something, so that it does not end in a tap. */
  moved = false;
  readonly dragging: Dragging;
  readonly #fingers = new Map<number, Point>();
  #start: Point = { x: 0, y: 0 };

  constructor(
    private readonly board: () => SVGSVGElement,
    private readonly camera: Camera,
    sight: () => Sight,
    deeds: Deeds,
  ) {
    this.dragging = new Dragging(sight, deeds);
  }

  down(event: PointerEvent): void {
    if (event.button > 0) return;
    const at = placeOf(this.board(), event);
    // A new first finger discards older ones: one may have been lifted over an element that
    // is gone, and the board does not capture a finger that only taps.
    if (event.isPrimary) this.#fingers.clear();
    this.#fingers.set(event.pointerId, at);
    if (this.#fingers.size > 1) {
      this.dragging.cancel();
      this.moved = true;
      return;
    }
    this.moved = false;
    this.#start = at;
    this.dragging.down(at);
  }

  move(event: PointerEvent): void {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = placeOf(this.board(), event);
    this.#fingers.set(event.pointerId, now);
    if (this.#fingers.size > 1) this.#pinch(event.pointerId, before, now);
    else if (this.dragging.move(now)) this.#hold(event);
    else if (this.camera.isClose && (this.moved || Math.hypot(now.x - this.#start.x, now.y - this.#start.y) > SLACK)) {
      this.#hold(event);
      this.camera.pan(now.x - before.x, now.y - before.y);
    }
  }

  up(event: PointerEvent): void {
    if (this.#fingers.delete(event.pointerId) && this.#fingers.size === 0) this.dragging.up(placeOf(this.board(), event));
  }

  cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    this.dragging.cancel();
  }

  /** The previous tap on an empty place. */
  #tap = { x: 0, y: 0, time: 0 };

  /** Handles a tap on an empty place: a double tap zooms in, or back out. */
  tapEmpty(time: number, at: Point): void {
    const twice = time - this.#tap.time < 400 && Math.hypot(at.x - this.#tap.x, at.y - this.#tap.y) < 30;
    this.#tap = { ...at, time: twice ? 0 : time };
    if (!twice) return;
    if (this.camera.isClose) this.camera.showWhole();
    else this.camera.zoom(2, at);
  }

  readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.camera.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0022)), placeOf(this.board(), event), true);
  };

  /** Capture the pointer on the board, because the element under it may disappear. */
  #hold(event: PointerEvent): void {
    if (!this.moved) this.board().setPointerCapture(event.pointerId);
    this.moved = true;
  }

  #pinch(id: number, before: Point, now: Point): void {
    const other = [...this.#fingers].find(([finger]) => finger !== id)![1];
    const apart = (one: Point) => Math.max(Math.hypot(one.x - other.x, one.y - other.y), 1);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.camera.zoom(apart(now) / apart(before), middle, true);
    this.camera.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }
}
