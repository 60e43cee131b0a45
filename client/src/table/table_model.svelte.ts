import { untrack } from "svelte";
import type { View } from "../board/face";
import { awayFor, AWAY_FOR } from "../lib/presence";
import { errorText } from "../lib/problems";
import { Refusal, Session } from "../lib/session.svelte";
import { keptTable } from "../lib/tables";
import type { Choice, LogEntry, Position, Result, Seat, Table } from "../generated/messages";
import { t } from "../texts/index.svelte";
import { Choosing } from "./choosing.svelte";
import type { Marks } from "./hints.svelte";
import { OneDevice } from "./one_device.svelte";
import { Past } from "./past_positions.svelte";
import { Stage } from "./stage.svelte";
import { GameText } from "./game_text.svelte";

/** The display time of a chat message, in milliseconds. */
const HEARD_FOR = 5000;
/** The maximal length of a chat message above the instruction line; the chat shows it whole. */
const HEARD_FITS = 70;
/** The maximal length of the instruction line. */
const FITS = 130;

/** A request that needs confirmation. */
export interface Question {
  title: string;
  text: string;
  act: () => Promise<unknown>;
}

/** The view model of the table page: board, choices and messages. */
export class TableModel {
  readonly session: Session;
  readonly gameText: GameText;
  readonly stage: Stage;
  readonly device: OneDevice;
  readonly past: Past;
  readonly choosing: Choosing;

  problem = $state.raw("");
  /** The reply of a lesson or a puzzle to a choice that it refuses. */
  correction = $state.raw("");
  question = $state.raw<Question | null>(null);
  /** Whether the form to join during a game is open. */
  sitsDown = $state.raw(false);
  /** Pieces and cells that a lesson highlights. */
  look = $state.raw<readonly string[]>([]);
  /** The current time, updated every few seconds. */
  clock = $state.raw(Date.now());
  /** The event of the last chat message shown. */
  #heard: number | null = null;
  /** The seat of this device that can undo. */
  takesBack = $state.raw<number | null>(null);
  /** The engine's evaluations for the board. */
  marks = $state.raw<Marks | null>(null);

  /** `invitation`: the secret of the invitation in the address. */
  constructor(
    readonly id: string,
    readonly invitation: string | null,
  ) {
    const session = new Session(id);
    this.session = session;
    this.muted = keptTable(id)?.muted ?? [];
    this.gameText = new GameText(session);
    this.stage = new Stage(
      () => this.gameText.face,
      (position) => this.viewOf(position),
      this.gameText.sentence,
      ({ seat }) => seat !== null && (this.table?.hot_seat ? !this.table.seats[seat]?.bot : seat === session.seat),
    );
    this.stage.hurries = () => this.table?.clock.kind === "live";
    this.device = new OneDevice(session);
    this.past = new Past(session, this.attempt);
    this.choosing = new Choosing(this);
    session.showWith(this.stage);
    $effect(() => {
      // The things that remain visible from before the page was opened.
      if (this.gameText.face && session.table) untrack(() => this.#recall());
    });
    $effect(() => this.#seeWhoTakesBack());
    $effect(() => this.#hear());
    $effect(() => {
      if (!session.restored) return;
      session.restored = false;
      this.past.toNow();
      this.problem = t().table.restored;
    });
    $effect(() => {
      void this.said;
      const timer = setInterval(() => (this.clock = Date.now()), session.seats.some((seat) => seat.clock_runs) ? 1000 : 5000);
      untrack(() => (this.clock = Date.now()));
      return () => clearInterval(timer);
    });
  }

  get table(): Table | null {
    return this.session.table;
  }

  get seats(): Seat[] {
    return this.gameText.seats;
  }

  // ---- the board -------------------------------------------------------------------------

  readonly position: Position | null = $derived.by(
    () => this.past.position ?? (this.session.current && this.device.heldNow ? this.device.heldNow : this.session.shown),
  );
  readonly me: number | null = $derived.by(() => this.table?.hot_seat ? (this.device.held?.seat ?? null) : this.session.seat);
  readonly mine: Seat | undefined = $derived.by(() => this.session.seat === null ? undefined : this.seats[this.session.seat]);
  readonly choices: readonly Choice[] = $derived.by(
    () => this.past.position || !this.session.current || this.device.passTo ? [] : (this.position?.scene.choices ?? []),
  );
  readonly result: Result | null = $derived.by(() => this.session.current ? (this.session.latest?.result ?? null) : null);

  get myTurn(): boolean {
    return this.choices.length > 0;
  }

  viewOf(of: Position): View {
    const { stage, past } = this;
    const cells =
      past.position || stage.cells.size === 0 ? of.scene.cells : of.scene.cells.map((cell) => stage.cells.get(cell.id) ?? cell);
    return {
      scene: cells === of.scene.cells ? of.scene : { ...of.scene, cells },
      gauges: { ...of.scene.gauges, ...(past.position ? {} : stage.gauges) },
      seats: this.seats,
      // On a shared device the board does not change with its holder.
      me: this.table?.hot_seat ? null : this.me,
      toMove: of.to_move,
      sentences: this.gameText.sentences,
    };
  }

  #recall(): void {
    if (this.session.showing) return;
    const played = this.session.log.slice(-12).filter(({ kind }) => kind === "played");
    this.stage.recall(played.flatMap(({ happenings }) => happenings));
  }

  skip(): void {
    this.session.skip();
    this.stage.skip();
  }

  // ---- requests -------------------------------------------------------------------------

  readonly attempt = async (wish: () => Promise<unknown>): Promise<void> => {
    this.problem = this.correction = "";
    try {
      await wish();
    } catch (error) {
      if (this.table?.lesson && error instanceof Refusal) this.correction = errorText(error);
      else this.problem = errorText(error);
    }
  };

  readonly ask = (wish: Parameters<Session["request"]>[0]): Promise<void> =>
    this.attempt(() => this.session.request(wish));

  #seeWhoTakesBack(): void {
    const { latest, current, log, seat } = this.session;
    this.takesBack = null;
    if (!latest) return;
    if (!this.table?.hot_seat) {
      // Also during the animation: bots delay their answers only for a moment.
      if (latest.may_take_back && latest.take_back_asked_by === null) this.takesBack = seat;
      return;
    }
    if (!current) return;
    const last = log.findLast(({ kind }) => kind === "played")?.seat;
    if (last == null || this.table.seats[last]?.kind !== "person") return;
    const look = this.session.lookAt(latest.n, last).then((seen) => {
      if (seen?.may_take_back && this.session.latest === latest) this.takesBack = last;
    });
    void look.catch(() => undefined); // gone again: what is there now is looked at by itself
  }

  readonly takeBack = (): Promise<void> => {
    this.skip();
    return this.ask({
      type: "take_back",
      n: this.session.latest?.n ?? 0,
      moves: this.choosing.undoes,
      ...(this.table?.hot_seat && this.takesBack !== null ? { seat: this.takesBack } : {}),
    });
  };

  /** The proposals that need our answer; the proposer withdraws by answering no. */
  readonly asked: { text: string; mine: boolean; answer: (agree: boolean) => Promise<void> } | null = $derived.by(() => {
    const { seat, current, latest, log } = this.session;
    if (seat === null) return null;
    const by = current ? (latest?.take_back_asked_by ?? null) : null;
    if (by !== null) {
      const text = by === seat ? t().table.undoWaits : t().table.undoAsked(this.gameText.nameOf(by));
      return { text, mine: by === seat, answer: (agree) => this.ask({ type: "agree_to_take_back", n: latest!.n, agree }) };
    }
    const proposal = this.table?.proposal;
    const mine = proposal?.kind !== "seat" && proposal?.seat === seat;
    if (!proposal || !(mine || proposal.waits_for.includes(seat))) return null;
    const line = log.findLast(({ n }) => n === proposal.n);
    const text = mine || !line ? t().table.othersAsked : this.gameText.textOf(line).join(" ");
    return { text, mine, answer: (agree) => this.ask({ type: "answer_proposal", n: proposal.n, agree }) };
  });

  /** The seat to move, if others may let a bot play for it. */
  readonly absent: number | null = $derived.by(() => {
    const { latest, seat: own, host, clocksAt } = this.session;
    const number = latest?.to_move ?? null;
    const seat = number === null ? undefined : this.seats[number];
    if (number === null || !seat || number === own || (own === null && !host)) return null;
    if (this.table?.stage !== "playing" || this.table.hot_seat || seat.kind !== "person" || seat.bot_plays) return null;
    return awayFor(seat, this.clock - clocksAt) >= AWAY_FOR ? number : null;
  });

  /** Whether a spectator can take a seat during the game: an open one, or that of a bot. */
  get maySitDown(): "open" | "bot" | null {
    const { table, session } = this;
    if (session.seat !== null || table?.stage !== "playing" || table.hot_seat || table.lesson) return null;
    if (table.seats.some(({ kind }) => kind === "open")) return "open";
    return table.seats.some(({ kind }) => kind === "bot") && (!table.public || this.invitation) ? "bot" : null;
  }

  /** Whether something happened during the user's absence. */
  get meanwhile(): boolean {
    return this.session.meanwhile.some((entry) => !this.isMuted(entry)) && !this.result && this.table?.stage === "playing";
  }

  // ---- texts ---------------------------------------------------------------------------------

  /** The instruction line. */
  readonly line: string = $derived.by(() => {
    const { table, session, gameText } = this;
    if (!table) return t().loading;
    const past = this.past.position;
    if (past) {
      const entry = session.log.find(({ n }) => n === past.n);
      return (entry && gameText.textOf(entry).join(" ")) || t().table.moment(past.n);
    }
    if (session.showing && this.stage.caption) {
      const unread = this.stage.captions.texts.join(" ");
      return unread.length > this.stage.caption.length && unread.length <= FITS ? unread : this.stage.caption;
    }
    if (table.stage === "closed") return t().table.closed;
    const now = session.latest;
    if (!now || now.result || now.to_move === null) return t().table.over;
    const mover = this.seats[now.to_move];
    if (!mover) return "";
    if (this.choosing.warning) return this.choosing.warning;
    if (this.myTurn && now.question) {
      const turns = this.choices.every((choice) => gameText.face?.turns?.(choice));
      const question = gameText.sentence(now.question) + (turns ? ` ${t().table.tapTurns}` : "");
      return table.hot_seat ? `${t().table.turnOf(mover.name)} ${question}` : question;
    }
    if (mover.kind === "bot" || mover.bot_plays) return t().table.thinking(mover.name);
    return !mover.here && !table.hot_seat ? t().table.away(mover.name) : t().table.turnOf(mover.name);
  });

  /** The lines of the log. */
  readonly entries: LogEntry[] = $derived.by(
    () =>
      this.session.log.filter(
        (entry) => entry.n <= this.session.shownEvent && entry.happenings.length > 0 && entry.kind !== "ended" && !this.isMuted(entry),
      ),
  );
  /** Shows chat messages of others even if the seats are not visible. */
  #hear(): void {
    const { said } = this;
    if (!this.table) return;
    untrack(() => {
      const last = said.at(-1)?.n ?? 0;
      for (const entry of said.filter(({ n, seat }) => n > (this.#heard ?? last) && seat !== this.session.seat)) {
        const text = this.gameText.textOf(entry)[0] ?? "";
        this.stage.captions.say(text.length > HEARD_FITS ? `${text.slice(0, HEARD_FITS)}…` : text, HEARD_FOR);
      }
      this.#heard = Math.max(this.#heard ?? 0, last);
    });
  }

  /** The names of the players whose chat this device does not show. */
  muted = $state.raw<readonly string[]>([]);

  readonly said: LogEntry[] = $derived.by(() => this.session.log.filter((entry) => entry.kind === "chat" && !this.isMuted(entry)));

  isMuted({ kind, seat }: LogEntry): boolean {
    return kind === "chat" && this.muted.includes(this.gameText.nameOf(seat));
  }
}
