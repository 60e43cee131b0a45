import { around, closer, inside, kept, middleOf, seen, showing, shows, WHOLE, type Field, type Lens, type Point } from "./lens";

const LASTS = 260;
const STEP = 1.5;

/** The zoom and position of the board, set by the user or following the choices. */
export class Camera {
  lens = $state.raw<Lens>(WHOLE);
  /** The zoomable part of the board; null before the first layout. */
  field = $state.raw<Field | null>(null);
  /** Whether an animation is running. */
  turning = $state.raw(false);
  /** Whether the user has changed the view. */
  #byHand = false;
  #goal: Lens = WHOLE;
  #frame = 0;

  get isClose(): boolean {
    return this.lens.scale > 1;
  }

  // ---- by hand --------------------------------------------------------------------------------------

  /** Zoom around a point of the screen, or the middle of the field. */
  zoom(factor: number, at?: Point, atOnce = false): void {
    const { field } = this;
    if (!field) return;
    const { left, top, width, height } = field.window;
    this.#byHand = true;
    this.#turn(closer(this.#goal, factor, at ?? { x: left + width / 2, y: top + height / 2 }, field), atOnce);
  }

  readonly zoomIn = (): void => this.zoom(STEP);
  readonly zoomOut = (): void => this.zoom(1 / STEP);

  readonly showWhole = (): void => {
    this.#byHand = true;
    this.#turn(WHOLE);
  };

  pan(dx: number, dy: number): void {
    if (!this.field || !this.isClose) return;
    const { scale, x, y } = this.#goal;
    this.#byHand = true;
    this.#turn(kept({ scale, x: x + dx, y: y + dy }, this.field), true);
  }

  // ---- following ------------------------------------------------------------------------------------

  /** Bring all targets into view and far enough apart if there is room, else the near ones. Keep the zoom if
   * panning is enough. */
  follow(all: readonly Point[], need: number, near: readonly Point[]): void {
    const { field } = this;
    if (!field) return;
    const points = shows(showing(all, need, field), all, need, field) ? all : near;
    if (points.length > 0 && shows(this.#goal, points, need, field)) return;
    this.#byHand = false;
    const panned = points.length > 0 && this.isClose ? around(middleOf(points), this.#goal.scale, field) : WHOLE;
    this.#turn(panned.scale > 1 && shows(panned, points, need, field) ? panned : showing(points, need, field));
  }

  /** Zoom in until the targets around a point are far enough apart. */
  lookInto(point: Point, scale: number): void {
    if (this.field) this.#turn(around(point, scale, this.field));
  }

  /** Bring a point of the board into view. */
  reveal(point: Point): void {
    if (!this.field || inside(this.field.window, seen(this.#goal, point), 12)) return;
    this.#turn(around(point, this.#goal.scale, this.field));
  }

  /** Glide to the whole board, unless the user has changed the view: nobody here has a choice. */
  rest(): Promise<void> | undefined {
    if (this.#byHand || !this.isClose) return undefined;
    this.#turn(WHOLE);
    return new Promise((go) => setTimeout(() => go(void this.settle()), this.turning ? LASTS : 0));
  }

  /** Reset the view, because the screen has changed. */
  readonly begin = (): void => {
    this.#byHand = false;
    this.#turn(WHOLE, true);
  };

  /** Handle a new layout; a new width means a new screen. */
  fit(field: Field | null): void {
    if (this.field && field && this.field.window.width !== field.window.width) this.begin();
    this.field = field;
    const lens = field ? kept(this.#goal, field) : WHOLE;
    if (lens.scale !== this.#goal.scale || lens.x !== this.#goal.x || lens.y !== this.#goal.y) this.#turn(lens, true);
  }

  /** Finish the animation at once. */
  settle(): Lens {
    this.#turn(this.#goal, true);
    return this.#goal;
  }

  #turn(to: Lens, atOnce = false): void {
    cancelAnimationFrame(this.#frame);
    this.#goal = to;
    const from = this.lens;
    if (atOnce || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.lens = to;
      this.turning = false;
      return;
    }
    this.turning = true;
    const began = performance.now();
    const step = (now: number) => {
      const part = Math.min(Math.max((now - began) / LASTS, 0), 1);
      const eased = part * part * (3 - 2 * part);
      const mix = (one: number, other: number) => one + (other - one) * eased;
      this.lens = part < 1 ? { scale: mix(from.scale, to.scale), x: mix(from.x, to.x), y: mix(from.y, to.y) } : to;
      if (part < 1) this.#frame = requestAnimationFrame(step);
      else this.turning = false;
    };
    this.#frame = requestAnimationFrame(step);
  }
}
