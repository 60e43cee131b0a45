import type {
  AskView,
  Hello,
  Label,
  LinesTold,
  Done,
  LogEntry,
  LogPage,
  Looked,
  Position,
  Presence,
  Problem,
  Reason,
  Seat,
  Seen,
  Table,
  Update,
  ViewSeen,
  Welcome,
  Why,
} from "../generated/messages";
import { type Answer, Connection, Refusal, type Request, type Status } from "./connection";
import { applied } from "./differences";
import { loadWithRetry } from "./loading.svelte";
import { settings } from "./settings.svelte";
import { remembered } from "./storage";
import { forgetTable, keepTable, keptTable } from "./tables";
import { transportTo } from "./transport";

/** A frame: the position after an event, and the events that led to it. */
export interface Frame {
  n: number;
  position: Position | null;
  entries: LogEntry[];
  /** Requested by the user, so it is shown at any speed setting. */
  asked?: boolean;
}

/** Shows frames. The table page provides it. */
export interface Show {
  /** Prepares a frame while the position before it is still shown; nothing if there is nothing to wait for. */
  ready(frame: Frame): Promise<void> | undefined;
  /** Resolves when the animation is over. `waiting` is the number of further frames of the same player. */
  show(before: Position | null, frame: Frame, waiting: number): Promise<void>;
  /** Whether two frames are one movement. */
  joins(frame: Frame, next: Frame): boolean;
}

const moverOf = ({ entries }: Frame) => entries.at(-1)?.seat;

/** Takes the next frame from the queue, with those that continue its movement. Also returns the number of
 * waiting frames of the same player. */
export function nextMovement(queue: Frame[], joins: Show["joins"]): { frame: Frame; waiting: number } {
  let frame = queue.shift()!;
  for (let next = queue[0]; next && joins(frame, next); next = queue[0]) {
    frame = { ...next, entries: [...frame.entries, ...next.entries] };
    queue.shift();
  }
  return { frame, waiting: queue.filter((each) => moverOf(each) === moverOf(frame)).length };
}

/** The protocol version of this client. */
const PROTOCOL = 2;

/** The state of one table in this browser. */
export class Session {
  table = $state.raw<Table | null>(null);
  seat = $state.raw<number | null>(null);
  host = $state.raw(false);
  status = $state.raw<Status>("connecting");
  /** The server does not know yet whether the last action was saved; it is being asked again. */
  unsure = $state.raw(false);
  /** The displayed position, which lags behind the latest during animations. */
  shown = $state.raw<Position | null>(null);
  latest = $state.raw<Position | null>(null);
  log = $state.raw<LogEntry[]>([]);
  /** The log starts after this event; if not 0, earlier pages can be loaded. */
  logFrom = $state.raw(0);
  /** The last event shown in the log, not ahead of the animation. */
  shownEvent = $state.raw(0);
  showing = $state.raw(false);
  /** The events since this browser's last visit. */
  meanwhile = $state.raw<LogEntry[]>([]);
  /** The table was rewound or restored. */
  restored = $state.raw(false);
  gone = $state.raw<Problem | null>(null);
  /** Server time minus local time, in seconds. */
  clockShift = $state.raw(0);
  /** The local time at which the clocks in `table` were read. */
  clocksAt = $state.raw(0);
  busy = $state.raw(false);

  /** What belongs to the profile of this device, if it has one. */
  readonly #people = remembered("profile", false) ? () => loadWithRetry(() => import("../you/parts")) : null;
  readonly #connection: Connection;
  readonly #queue: Frame[] = [];
  #show: Show | null = null;
  #skipping = false;
  #looked = new Map<string, Position>();
  #welcomed = false;
  #dicing = false;
  /** The event before the last action of this browser. */
  playedAt = -1;
  /** The last known event. */
  #last = 0;

  constructor(readonly id: string) {
    this.#connection = new Connection(
      {
        hello: () => {
          const token = keptTable(id)?.token;
          const hello = (session = {}): Hello => ({
            type: "hello",
            ...(token ? { token } : session),
            ...(this.#welcomed ? { after: this.#last, at: this.log.at(-1)?.at ?? null } : {}),
            language: settings.language,
            hurried: settings.speed === "off",
            protocol: PROTOCOL,
          });
          // On another device of a profile the seat opens by the profile.
          return !token && this.#people ? this.#people().then(async (you) => hello(await you.session())) : hello();
        },
        news: (message) => this.#news(message),
        status: (status) => (this.status = status),
        unsure: (unsure) => (this.unsure = unsure),
        refused: (problem) => {
          // The seat was given away: continue as a spectator.
          if (problem.code === "not_seated" && keptTable(id)?.token) {
            forgetTable(id);
            location.reload();
          } else this.gone = problem;
        },
      },
      () => transportTo(id).open(id),
    );
  }

  start(): void {
    this.#connection.start();
  }

  end(): void {
    this.#connection.end();
  }

  hurry(): void {
    this.#connection.hurry();
  }

  renew(): void {
    this.#connection.renew();
  }

  /** The seats. */
  readonly seats: Seat[] = $derived(this.table?.seats ?? []);

  /** Whether the displayed position is the latest. */
  get current(): boolean {
    return this.shown === this.latest && !this.showing;
  }

  // ---- incoming messages ----------------------------------------------------------------------------

  #news(message: Welcome | Update | Presence): void {
    if (message.type === "presence") {
      if (this.table) this.table = { ...this.table, seats: message.seats, spectators: message.spectators };
      this.clocksAt = Date.now();
      return;
    }
    if (message.type === "welcome") {
      this.table = message.table;
      this.#welcome(message);
      const token = keptTable(this.id)?.token;
      if (token && !this.table.lesson) void this.#people?.().then((you) => you.claimSeat(this.id, token));
    } else {
      const { n, position = this.latest, change = {} } = message;
      // A message was lost: the next welcome is complete.
      if (!message.position && message.base !== this.#last) return this.renew();
      if (this.table) this.table = { ...this.table, ...message.table };
      this.#arrive({ ...message, position: position && applied(position, n, change) });
    }
    this.clocksAt = Date.now();
    if (this.table?.stage === "gathering") void this.#shareDice();
  }

  /** The seats of this browser. */
  get own(): number[] {
    if (this.seat !== null) return [this.seat];
    return this.table?.hot_seat && this.host ? this.seats.flatMap(({ kind }, seat) => (kind === "person" ? [seat] : [])) : [];
  }

  /** Commit to our share of the dice, and reveal it when required. */
  async #shareDice(): Promise<void> {
    if (this.#dicing) return;
    this.#dicing = true;
    try {
      const { nextStep } = await import("./fair_dice");
      for (let done: Table | null = null; this.table && this.table !== done; ) {
        done = this.table;
        const wish = await nextStep(done, this.own);
        if (wish) await this.request(wish);
      }
    } catch {
      // Refused because the table changed, or not loaded: the next message triggers another try.
    } finally {
      this.#dicing = false;
    }
  }

  #welcome(message: Welcome): void {
    // Another seat has another view, and other log lines.
    const moved = message.seat !== this.seat;
    if (moved) this.#looked.clear();
    this.seat = message.seat;
    this.host = message.host;
    this.clockShift = message.server_time - Date.now() / 1000;
    if (this.#welcomed && !message.whole) {
      this.#arrive(message);
      return;
    }
    // More events than fit a page, or the log was replaced.
    const longAway = message.log_from >= this.#last;
    if (this.#welcomed && !longAway && !moved) this.#forget();
    this.#looked.clear();
    this.#welcomed = true;
    this.#last = message.n;
    const seen = keptTable(this.id)?.seen ?? 0;
    this.log = message.log;
    this.logFrom = message.log_from;
    this.latest = this.shown = message.position;
    this.shownEvent = message.n;
    if (seen > 0 && this.seat !== null) {
      // Skip my own actions, but not those of a bot that stood in for me.
      const all = message.table.seats[this.seat]?.bot_plays;
      this.meanwhile = message.log.filter(
        ({ n, seat, happenings }) => n > seen && (all || seat !== this.seat) && happenings.length > 0,
      );
    }
    this.#seen();
  }

  /** A backup was restored: discard the known log. */
  #forget(): void {
    this.restored = true;
    this.#queue.length = 0;
    this.#looked.clear();
    this.meanwhile = [];
    if (keptTable(this.id)) keepTable(this.id, { seen: 0 });
  }

  #arrive({ n, position, log, log_from, whole }: Pick<Welcome, "n" | "position" | "log" | "log_from"> & Pick<Update, "whole">): void {
    const fresh = log.filter((entry) => entry.n > this.#last);
    if (whole) {
      // Drop what was shown only temporarily.
      this.log = log;
      this.logFrom = log_from;
      this.#looked.clear();
    } else if (fresh.length > 0) this.log = [...this.log, ...fresh];
    this.#last = Math.max(this.#last, n);
    this.latest = position;
    this.#queue.push({ position, entries: fresh, n });
    if (!this.showing) void this.#pump();
  }

  // ---- display -------------------------------------------------------------------------------

  /** Called when the page can show frames. */
  showWith(show: Show | null): void {
    this.#show = show;
  }

  async #pump(): Promise<void> {
    this.showing = true;
    const show = () => (this.#skipping || document.hidden ? null : this.#show);
    while (this.#queue.length > 0) {
      const gliding = show()?.ready(this.#queue[0]!);
      if (gliding) {
        await gliding;
        continue; // frames may have come or gone
      }
      const { frame, waiting } = nextMovement(this.#queue, (one, next) => this.#show?.joins(one, next) ?? false);
      const before = this.shown;
      this.shown = frame.position;
      this.shownEvent = Math.max(this.shownEvent, frame.n);
      const stage = show();
      if (stage) await stage.show(before, frame, waiting);
    }
    // Skipping lasts until it is the turn of this browser.
    const mover = this.latest?.to_move ?? null;
    if (mover === null || this.own.length === 0 || this.own.includes(mover)) this.#skipping = false;
    this.showing = false;
    this.#seen();
  }

  #seen(): void {
    // Spectators do not count the game as played.
    const { table, seat } = this;
    if (table?.result && keptTable(this.id)?.token)
      void loadWithRetry(() => import("./history")).then(({ noteGame }) => noteGame(table, table.result!, seat));
    if (keptTable(this.id)?.token && this.table)
      keepTable(this.id, {
        seen: this.shownEvent,
        game: this.table.game,
        seat: this.seat,
        over: this.table.stage === "over" || this.table.stage === "closed",
      });
  }

  /** Skip the animations until the next turn of this browser. */
  skip(): void {
    if (this.showing) this.#skipping = true;
  }

  /** Replay the events after `n`, step by step. */
  async replayFrom(n: number): Promise<void> {
    if (this.showing) return;
    this.showing = true; // already while it is fetched: nothing is to be chosen in between
    try {
      const steps = this.log.filter((entry) => entry.n > n && entry.kind === "played");
      const frames = await this.#framesOf(steps);
      const start = await this.lookAt(n);
      if (!start || frames.length === 0) return;
      this.shown = start;
      if (this.#queue.length === 0) frames.push({ n: this.#last, position: this.latest, entries: [] });
      this.#queue.unshift(...frames);
    } finally {
      await this.#pump(); // also what arrived meanwhile
    }
  }

  async #framesOf(steps: LogEntry[]): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (const entry of steps) {
      const position = entry.n === this.latest?.n ? this.latest : await this.lookAt(entry.n);
      if (position) frames.push({ n: entry.n, position, entries: [entry], asked: true });
    }
    return frames;
  }

  // ---- requests ----------------------------------------------------------------------------

  /** Send a request. Throws `Refusal` if the server refuses it. */
  request<A extends Answer = Done>(wish: Request): Promise<A> {
    return this.#connection.request<A>(wish);
  }

  async play(action: number): Promise<void> {
    const position = this.latest;
    // At most once per position; the next position may arrive before the answer.
    if (!position || (this.busy && this.playedAt === position.n)) return;
    this.busy = true;
    this.playedAt = position.n;
    try {
      await this.request({
        type: "play",
        n: position.n,
        action,
        ...(this.table?.hot_seat && position.to_move !== null ? { seat: position.to_move } : {}),
      });
    } finally {
      if (this.playedAt === position.n) this.busy = false;
    }
  }

  /** Load the position after event `n`; on a shared device, as one of its seats sees it. */
  async lookAt(n: number, seat?: number): Promise<Position | null> {
    const key = `${n} ${seat ?? ""} ${this.table?.stage === "over" ? "over" : ""}`;
    const known = this.#looked.get(key);
    if (known) return known;
    const looked = await this.#connection.request<Looked>({
      type: "look_at",
      n,
      ...(seat === undefined ? {} : { seat }),
    });
    if (looked.position) this.#looked.set(key, looked.position);
    return looked.position;
  }

  /** Load a position text, which the server sends only on request. */
  async notation({ n, seat, text }: Position): Promise<string> {
    if (text !== undefined) return text;
    const eyes = this.table?.hot_seat && seat !== null ? { seat } : {};
    const looked = await this.#connection.request<Looked>({ type: "look_at", n, ...eyes });
    return looked.position?.text ?? "";
  }

  /** Load the page before the log and prepend it. */
  async readEarlier(): Promise<void> {
    if (this.logFrom === 0) return;
    const before = this.logFrom + 1;
    const page = await this.#connection.request<LogPage>({ type: "read_log", before });
    if (before !== this.logFrom + 1) return; // somebody else was quicker
    this.log = [...page.log, ...this.log];
    this.logFrom = page.log_from;
  }

  /** Load the log from the start. */
  async readAll(): Promise<void> {
    while (this.logFrom > 0) await this.readEarlier();
  }

  /** Load the reason for a bot's action in event n. */
  async why(n: number): Promise<Why> {
    return (await this.#connection.request<Reason>({ type: "ask_why", n, ...this.#seatToMove })).why;
  }

  /** Load labels of lines of actions that could be played now. */
  async lines(n: number, lines: number[][]): Promise<Label[][]> {
    return (await this.#connection.request<LinesTold>({ type: "ask_lines", n, lines, ...this.#seatToMove })).lines;
  }

  /** At a table on one device, the seat to move asks. */
  get #seatToMove(): { seat?: number } {
    const toMove = this.latest?.to_move;
    return this.table?.hot_seat && toMove != null ? { seat: toMove } : {};
  }

  /** Load the view of my seat, for the engine. */
  async seen(purpose: AskView["purpose"]): Promise<Seen> {
    return (await this.#connection.request<ViewSeen>({ type: "ask_view", n: this.latest?.n ?? 0, purpose, ...this.#seatToMove })).seen;
  }
}

export { Refusal };
