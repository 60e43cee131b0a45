import { tick } from "svelte";
import type { Act, Effect, Face, Ghost, Layout, View } from "../board/face";
import type { PlannedEvent } from "../board/motion";
import { WHOLE, type Lens } from "../board/lens";
import type { Frame } from "../lib/session.svelte";
import { PACE, readingTime } from "../lib/pace";
import { loadWithRetry } from "../lib/loading.svelte";
import { settings } from "../lib/settings.svelte";
import { sound } from "../lib/sound";
import type { Cell, Happening, LogEntry, Position } from "../generated/messages";
import { Captions } from "./captions.svelte";

const REST = 420;
/** The target duration of another player's turn at normal speed, in milliseconds. */
const TURN_LASTS = 6000;
/** The least factor on durations, if the turn has many moves. */
const HURRY = 0.25;
type Motion = typeof import("../board/motion");

/** Animates events one after the other. The board is already in its final state, and each piece moves
 * there from its old place. */
export class Stage {
  /** The gauges at this point of the animation. */
  gauges = $state.raw<Record<string, unknown>>({});
  /** The sentence of the current event. */
  caption = $state.raw("");
  /** That sentence and earlier unread ones. */
  readonly captions = new Captions();
  /** The result of a round, while the animation waits. */
  summary = $state.raw<readonly string[] | null>(null);
  trail = $state.raw<readonly string[]>([]);
  /** Removed pieces that are still visible at this point. */
  ghosts = $state.raw<readonly Ghost[]>([]);
  /** Cells that change later, in their state at this point. */
  cells = $state.raw<ReadonlyMap<string, Cell>>(new Map());
  effect = $state.raw<Effect | null>(null);
  board: SVGSVGElement | undefined;
  /** The zoom during the animation. */
  lens: () => Lens = () => WHOLE;
  /** Moves to the zoom of a frame's animation while the position before it is still shown. */
  ready: (frame: Frame) => Promise<void> | undefined = () => undefined;

  /** Loaded when something moves. */
  readonly #motion = loadWithRetry(() => import("../board/motion")).then((module) => (this.#loaded = module));
  #loaded: Motion | undefined;
  #skipped = false;
  #running: Animation[] = [];
  #wake: (() => void) | undefined;
  /** The sentences between two rounds. */
  #round: string[] | null = null;
  /** Whether the user performed the shown action and need not read its caption. */
  #own = false;
  /** The factor on durations, and the time until which the animation waits for readers. */
  #rate = 1;
  #readsUntil = 0;
  /** The player whose turn is shown, and the time by which the turn should be over. */
  #turn: { seat: number | null; ends: number } = { seat: null, ends: Infinity };

  constructor(
    private readonly face: () => Face | undefined,
    private readonly viewOf: (position: Position) => View,
    private readonly tell: (happening: Happening) => string,
    private readonly isOwn: (entry: LogEntry) => boolean,
  ) {}

  /** Things that remain visible after the last event, such as dice. */
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

  /** Whether the second frame only continues the movement of the first, or neither tells anything. */
  joins(frame: Frame, next: Frame): boolean {
    const face = this.face();
    return face !== undefined && this.#loaded !== undefined && this.#loaded.joins(frame.entries, next.entries, face) && !frame.asked;
  }

  /** `waiting` is the number of further frames of the same player. */
  async show(before: Position | null, frame: Frame, waiting = 0): Promise<void> {
    const played = frame.entries.filter((entry) => entry.kind === "played");
    const happenings = played.flatMap((entry) => entry.happenings);
    const face = this.face();
    const pace = PACE[settings.speed] || (frame.asked ? PACE.fast : 0);
    const { board } = this;
    if (!face || !before || !frame.position || !board || pace === 0) {
      this.recall(happenings);
      const told = happenings.map((each) => this.tell(each));
      this.caption = told.join(" ");
      if (!played.every(this.isOwn)) for (const text of told) this.captions.say(text);
      return;
    }
    this.#skipped = false;
    this.#own = !frame.asked && played.every(this.isOwn);
    this.#startTurn(played.at(-1)?.seat ?? null, pace);
    const kept = this.gauges["dice"];
    this.gauges = { ...before.scene.gauges, dice: kept };
    const [width, height] = [board.clientWidth, board.clientHeight];
    const lens = this.lens();
    const old = face.layout(this.viewOf(before), width, height, lens);
    const now = face.layout(this.viewOf(frame.position), width, height, lens);
    this.#keepOld(before, frame.position, old, now);
    const [motion] = await Promise.all([this.#motion, tick()]);
    const scenes = motion.planned(happenings, face);
    this.#share(scenes, pace, waiting);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) await this.#tellBriefly(motion, face, scenes, old, now);
    else await this.#act(motion, face, scenes, old, now);
    this.gauges = { dice: this.gauges["dice"] };
    this.ghosts = [];
    this.cells = new Map();
    this.effect = null;
  }

  #startTurn(seat: number | null, pace: number): void {
    if (seat === this.#turn.seat) return;
    this.#turn = { seat, ends: this.#own || pace > 1 ? Infinity : performance.now() + TURN_LASTS };
  }

  /** Divides the rest of the turn among the waiting frames: first for the movements, then for reading. */
  #share(scenes: readonly PlannedEvent[], pace: number, waiting: number): void {
    const left = Math.max(0, this.#turn.ends - performance.now());
    const share = left / (waiting + 1);
    const moving = pace * scenes.reduce((sum, { lasts }) => sum + lasts, REST);
    this.#rate = pace * Math.min(1, Math.max(HURRY, share / moving));
    const reads = !this.#own && pace >= 1;
    this.#readsUntil = reads ? performance.now() + (waiting > 0 ? share : left / 2) - REST * this.#rate : 0;
  }

  /** Keeps removed and changed things visible until their animation. */
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

  /** Fades removed pieces out. */
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

  async #act({ holdMoved, move, release }: Motion, face: Face, scenes: readonly PlannedEvent[], old: Layout, now: Layout): Promise<void> {
    const held = holdMoved(this.board!, old, now, 600);
    for (const { happening, act, lasts: least } of scenes) {
      if (this.#skipped) break;
      await this.#pauseBefore(happening, face);
      if (!act.tellsAfter) this.#say(happening, face);
      if (act.gauges) this.gauges = { ...this.gauges, ...act.gauges };
      if (act.sound) sound(act.sound);
      this.effect = act.effect ?? null;
      const lasts = (act.lasts ?? 0) * this.#rate;
      if (act.gone) void this.#sink(act.gone, Math.min(lasts, 450));
      this.#running = move(act, held, old, now, lasts);
      const passed = act.trail ?? act.moves?.[0]?.cells;
      if (passed) this.trail = passed;
      if (act.tellsAfter) {
        await this.#wait(lasts);
        this.#say(happening, face);
      }
      await this.#wait(Math.max(least * this.#rate - (act.tellsAfter ? lasts : 0), this.#reading(act)));
    }
    this.effect = null;
    this.ghosts = [];
    this.cells = new Map();
    this.#running = release(held, old, now, this.#skipped ? 1 : REST * this.#rate);
    if (this.#running.length > 0) await this.#wait(REST * this.#rate);
    this.#running = [];
  }

  async #tellBriefly({ highlight }: Motion, face: Face, scenes: readonly PlannedEvent[], old: Layout, now: Layout): Promise<void> {
    const moved = [...now.pieces].filter(([id, spot]) => {
      const was = old.pieces.get(id);
      return was && Math.hypot(was.x - spot.x, was.y - spot.y) > 1;
    });
    this.#running = highlight(this.board!, moved.map(([id]) => id), 200);
    for (const { happening, act } of scenes) {
      if (this.#skipped) break;
      await this.#pauseBefore(happening, face);
      this.#say(happening, face);
      if (act.gauges) this.gauges = { ...this.gauges, ...act.gauges };
      if (act.sound) sound(act.sound);
      if (act.gone) this.#letGo(act.gone);
      await this.#wait(Math.max((act.brief ? 200 : 500) * this.#rate, this.#reading(act)));
    }
  }

  // ---- in words -----------------------------------------------------------------------------------

  #say(happening: Happening, face: Face): void {
    this.caption = this.tell(happening);
    if (!this.#own) this.captions.say(this.caption);
    if (face.round && happening.key.startsWith(face.round.ends)) this.#round = [];
    this.#round?.push(this.caption);
  }

  /** How long the animation waits for readers of a caption of another player's action. Brief captions and
   * fast speeds do not wait. The caption stays visible and is in the log. */
  #reading(act: Act): number {
    return act.brief ? 0 : Math.min(this.captions.left, Math.max(0, this.#readsUntil - performance.now()));
  }

  /** Waits between two rounds until the result has been read. */
  async #pauseBefore(happening: Happening, face: Face): Promise<void> {
    if (!face.round || !this.#round || !happening.key.startsWith(face.round.begins)) return;
    const told = this.#round;
    this.#round = null;
    if (this.#skipped) return;
    this.captions.clear();
    this.summary = told;
    await this.#wait(this.hurries() ? readingTime(told.join(" ")) : Infinity);
    this.summary = null;
  }

  /** Whether a running clock forbids waiting. */
  hurries: () => boolean = () => false;

  /** Called when the result of the round has been read. */
  readonly goOn = (): void => this.#wake?.();

  #wait(milliseconds: number): Promise<void> {
    if (this.#skipped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = milliseconds === Infinity ? undefined : setTimeout(done, milliseconds);
      function done() {
        clearTimeout(timer);
        resolve();
      }
      this.#wake = done;
    });
  }
}
