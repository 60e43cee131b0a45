import { untrack } from "svelte";
import { route } from "../lib/route.svelte";
import type { Session } from "../lib/session.svelte";
import type { Position } from "../generated/messages";

/** Past positions: a line of the log, the last turn, the whole game with a slider. */
export class Past {
  /** The past position shown instead of the current one. */
  position = $state.raw<Position | null>(null);
  replaying = $state.raw(false);
  /** Whether the result is hidden to show the board. */
  resultAside = $state.raw(false);
  /** How many moments were asked for: an answer to an earlier request is not shown. */
  #requests = 0;

  constructor(
    private readonly session: Session,
    private readonly attempt: (wish: () => Promise<unknown>) => Promise<void>,
  ) {
    // A link to a moment of the game.
    let asked = untrack(() => ("moment" in route.place ? route.place.moment : null));
    $effect(() => {
      if (asked === null || !session.latest || session.status !== "online") return;
      const n = asked;
      asked = null;
      this.replaying = this.resultAside = true;
      void this.lookAt(n);
    });
  }

  /** The events that have a position. */
  readonly moments: number[] = $derived.by(
    () => this.session.log.filter(({ kind }) => kind === "played" || kind === "begun").map(({ n }) => n),
  );

  /** The event before the last turn; null before the first. */
  readonly lastTurn: number | null = $derived.by(() => {
    const played = this.session.log.filter(({ n, kind }) => n <= this.session.shownEvent && kind === "played");
    const last = played.at(-1);
    if (!last) return null;
    const before = played[played.findLastIndex(({ seat }) => seat !== last.seat) + 1]!.n;
    return this.session.log.findLast(({ n }) => n < before)?.n ?? before - 1;
  });

  readonly lookAt = (n: number): Promise<void> =>
    this.attempt(async () => {
      const request = ++this.#requests;
      const position = await this.session.lookAt(n);
      if (request !== this.#requests) return;
      this.position = position;
      route.mark(String(n));
    });

  /** Moves a number of positions forward or back. */
  step(by: number): void {
    const { moments, position } = this;
    if (!position || moments.length === 0) return;
    const index = Math.max(0, moments.findLastIndex((moment) => moment <= position.n));
    void this.lookAt(moments[Math.max(0, Math.min(moments.length - 1, index + by))]!);
  }

  readonly toNow = (): void => {
    this.#requests++;
    this.position = null;
    this.replaying = false;
    route.mark("");
  };

  async replayTurn(): Promise<void> {
    const { lastTurn } = this;
    if (lastTurn !== null && !this.position) await this.attempt(() => this.session.replayFrom(lastTurn));
  }

  readonly replay = async (): Promise<void> => {
    this.replaying = this.resultAside = true;
    await this.attempt(() => this.session.readAll());
    if (this.moments[0] !== undefined) await this.lookAt(this.moments[0]);
  };
}
