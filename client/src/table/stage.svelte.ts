import { tick } from "svelte";
import type { Effect, Face, Ghost, Layout, View } from "../board/face";
import { WHOLE, type Lens } from "../board/lens";
import { highlight, holdMoved, move, release } from "../board/motion";
import type { Frame } from "../lib/session.svelte";
import { settings, type Speed } from "../lib/settings.svelte";
import { sound } from "../lib/sound";
import type { Cell, Happening, Position } from "../messages";

const PACE: Record<Speed, number> = { slow: 1.8, normal: 1, fast: 0.45, off: 0 };
const REST = 420;

/** Shows what happens, one thing after the other: the board already stands as it is afterwards, and
 * every piece moves there from its old place when its turn comes. */
export class Stage {
  /** What the gauges say at this moment of the show. */
  gauges = $state.raw<Record<string, unknown>>({});
  /** The sentence for what is being shown. */
  caption = $state.raw("");
  trail = $state.raw<readonly string[]>([]);
  /** What is no more, but was still there at this moment of the show. */
  ghosts = $state.raw<readonly Ghost[]>([]);
  /** Cells that have changed since, as they were at this moment. */
  cells = $state.raw<ReadonlyMap<string, Cell>>(new Map());
  effect = $state.raw<Effect | null>(null);
  board: SVGSVGElement | undefined;
  /** How the board is looked at while this is shown. */
  lens: (position: Position) => Lens = () => WHOLE;

  #skipped = false;
  #running: Animation[] = [];
  #wake: (() => void) | undefined;

  constructor(
    private readonly face: () => Face | undefined,
    private readonly viewOf: (position: Position) => View,
    private readonly tell: (happening: Happening) => string,
  ) {}

  /** Things that stay to be seen, such as the dice, from what happened last. */
  recall(happenings: Iterable<Happening>): void {
    const face = this.face();
    if (!face) return;
    for (const happening of happenings) {
      const { gauges, moves, trail } = face.act(happening);
      if (trail) this.trail = trail;
      if (gauges?.["dice"]) this.gauges = { dice: gauges["dice"] };
      if (moves?.[0] && moves[0].cells.length > 1) this.trail = moves[0].cells;
    }
  }

  async show(before: Position | null, frame: Frame): Promise<void> {
    const played = frame.entries.filter((entry) => entry.kind === "played");
    const happenings = played.flatMap((entry) => entry.happenings);
    const face = this.face();
    const pace = PACE[settings.speed] || (frame.asked ? PACE.fast : 0);
    const { board } = this;
    if (!face || !before || !frame.position || !board || pace === 0) {
      this.recall(happenings);
      this.caption = happenings.map((each) => this.tell(each)).join(" ");
      return;
    }
    this.#skipped = false;
    const kept = this.gauges["dice"];
    this.gauges = { ...before.scene.gauges, dice: kept };
    const [width, height] = [board.clientWidth, board.clientHeight];
    const lens = this.lens(frame.position);
    const old = face.layout(this.viewOf(before), width, height, lens);
    const now = face.layout(this.viewOf(frame.position), width, height, lens);
    this.#keepOld(before, frame.position, old, now);
    await tick();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches)
      await this.#tellBriefly(face, happenings, old, now, pace);
    else await this.#act(face, happenings, old, now, pace);
    this.gauges = { dice: this.gauges["dice"] };
    this.ghosts = [];
    this.cells = new Map();
    this.effect = null;
  }

  /** Whatever goes or changes stays to be seen until its turn comes. */
  #keepOld(before: Position, after: Position, old: Layout, now: Layout): void {
    this.ghosts = before.scene.pieces.flatMap((piece) => {
      const spot = old.pieces.get(piece.id);
      return spot && !now.pieces.has(piece.id) ? [{ piece, spot }] : [];
    });
    const kinds = new Map(after.scene.cells.map((cell) => [cell.id, cell.kind]));
    this.cells = new Map(
      before.scene.cells.flatMap((cell) => (kinds.get(cell.id) === cell.kind ? [] : [[cell.id, cell] as const])),
    );
  }

  /** What goes sinks out of sight first. */
  async #sink(ids: readonly string[], duration: number): Promise<void> {
    const going = ids.flatMap((id) => this.board?.querySelector(`[data-ghost="${id}"]`) ?? []);
    const end = { opacity: 0, transform: "translateY(8px) scale(.4)" };
    const frames = duration > 0 ? [{ opacity: 1 }, end] : [{ opacity: 0 }];
    await Promise.allSettled(going.map((each) => each.animate(frames, { duration, fill: "forwards" }).finished));
    this.#letGo(ids);
  }

  #letGo(ids: readonly string[]): void {
    const gone = new Set(ids);
    this.ghosts = this.ghosts.filter((ghost) => !gone.has(ghost.piece.id));
    if (ids.some((id) => this.cells.has(id)))
      this.cells = new Map([...this.cells].filter(([id]) => !gone.has(id)));
  }

  skip(): void {
    this.#skipped = true;
    for (const animation of this.#running) animation.finish();
    this.#wake?.();
  }

  async #act(face: Face, happenings: Happening[], old: Layout, now: Layout, pace: number): Promise<void> {
    const held = holdMoved(this.board!, old, now, 600);
    for (const happening of happenings) {
      if (this.#skipped) break;
      const act = face.act(happening);
      this.caption = this.tell(happening);
      if (act.gauges) this.gauges = { ...this.gauges, ...act.gauges };
      if (act.sound) sound(act.sound);
      this.effect = act.effect ?? null;
      const lasts = (act.lasts ?? 0) * pace;
      if (act.gone) void this.#sink(act.gone, Math.min(lasts, 450));
      this.#running = move(act, held, old, now, lasts);
      const passed = act.trail ?? act.moves?.[0]?.cells;
      if (passed) this.trail = passed;
      // Words take longer to read than a piece to move.
      await this.#wait(Math.max(lasts, (act.brief ? 140 : 350) * pace));
    }
    this.effect = null;
    this.ghosts = [];
    this.cells = new Map();
    this.#running = release(held, old, now, this.#skipped ? 1 : REST * pace);
    if (this.#running.length > 0) await this.#wait(REST * pace);
    this.#running = [];
  }

  async #tellBriefly(face: Face, happenings: Happening[], old: Layout, now: Layout, pace: number): Promise<void> {
    const moved = [...now.pieces].filter(([id, spot]) => {
      const was = old.pieces.get(id);
      return was && Math.hypot(was.x - spot.x, was.y - spot.y) > 1;
    });
    this.#running = highlight(this.board!, moved.map(([id]) => id), 200);
    for (const happening of happenings) {
      if (this.#skipped) break;
      const act = face.act(happening);
      this.caption = this.tell(happening);
      if (act.gauges) this.gauges = { ...this.gauges, ...act.gauges };
      if (act.sound) sound(act.sound);
      if (act.gone) this.#letGo(act.gone);
      await this.#wait((act.brief ? 200 : 500) * pace);
    }
  }

  #wait(milliseconds: number): Promise<void> {
    if (this.#skipped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, milliseconds);
      function done() {
        clearTimeout(timer);
        resolve();
      }
      this.#wake = done;
    });
  }
}
