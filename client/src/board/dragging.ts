/** Dragging: moving a piece does what takes it; letting go does what is then offered there. */
import type { Choice } from "../messages";
import { nearest, type Target } from "./snap";

/** What is on the board at the moment. */
interface Sight {
  element: SVGSVGElement;
  targets: readonly Target[];
  selected: Choice | null;
}

/** How far a finger has to go before it drags, in pixels. */
const SLACK = 10;

export class Dragging {
  /** Whether the finger that is down has moved something: what follows is not a tap. */
  dragged = false;
  #grip: { choice: Choice; x: number; y: number } | null = null;

  constructor(
    private readonly drags: (choice: Choice) => boolean,
    private readonly look: () => Sight,
    private readonly select: (choice: Choice) => void,
    private readonly play: (choice: Choice) => void,
  ) {}

  down(event: PointerEvent): void {
    const { element, targets } = this.look();
    const [x, y] = place(element, event);
    const target = targets.find(
      ({ choice, spot }) => this.drags(choice) && Math.hypot(x - spot.x, y - spot.y) < spot.size * 0.7,
    );
    this.dragged = false;
    this.#grip = target ? { choice: target.choice, x: event.clientX, y: event.clientY } : null;
  }

  move(event: PointerEvent): void {
    if (!this.#grip) return;
    const { element, targets, selected } = this.look();
    if (!this.dragged && Math.hypot(event.clientX - this.#grip.x, event.clientY - this.#grip.y) > SLACK) {
      this.dragged = true;
      element.setPointerCapture(event.pointerId);
      this.play(this.#grip.choice);
    }
    if (!this.dragged) return;
    const open = targets.filter(({ choice }) => !this.drags(choice));
    const target = nearest(open, ...place(element, event));
    if (target && target.choice !== selected) this.select(target.choice);
  }

  up(): void {
    const { selected, targets } = this.look();
    const lays = this.#grip && this.dragged && targets.some(({ choice }) => choice === selected);
    this.cancel();
    if (lays) this.play(selected!);
  }

  cancel(): void {
    this.#grip = null;
  }
}

/** Where on the board a finger is. */
export function place(element: Element, event: MouseEvent): [x: number, y: number] {
  const box = element.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}
