import type { Session } from "../lib/session.svelte";
import type { Position } from "../messages";

/** Several people on one device: what the one who holds it may see, and whom to pass it to first. */
export class OneDevice {
  /** The position through the eyes of whoever holds the device. */
  held = $state.raw<Position | null>(null);
  /** Whom the device is to be passed to before that is shown. */
  passTo = $state.raw<Position | null>(null);

  constructor(private readonly session: Session) {
    $effect(() => {
      const { latest, table } = session;
      if (!table?.hot_seat || !session.current || !latest) return;
      const mover = latest.to_move;
      const seat = mover === null ? undefined : table.seats[mover];
      if (mover === null || seat?.kind !== "person" || seat.bot_plays) {
        this.held = this.passTo = null;
        return;
      }
      const look = session.lookAt(latest.n, mover).then((seen) => {
        if (!seen || session.latest !== latest) return;
        if (isSecret(seen)) this.passTo = seen;
        else this.held = seen;
      });
      void look.catch(() => undefined); // gone again: what is there now is looked at by itself
    });
  }

  /** What was seen before the last event offers nothing any more: the next look is on its way. */
  readonly heldNow: Position | null = $derived.by(() => this.held?.n === this.session.latest?.n ? this.held : null);
  /** Somebody who is not on the move looks at what is theirs. */
  readonly looksAside: boolean = $derived.by(() => this.held !== null && this.held.seat !== this.session.latest?.to_move);

  async lookThrough(seat: number): Promise<void> {
    if (this.session.latest) this.passTo = await this.session.lookAt(this.session.latest.n, seat);
  }

  take(): void {
    this.held = this.passTo;
    this.passTo = null;
  }

  hideAgain(): void {
    this.held = null;
    const latest = this.session.latest;
    if (latest?.to_move == null) return;
    const look = this.session.lookAt(latest.n, latest.to_move).then((seen) => {
      if (seen && !isSecret(seen)) this.held = seen;
    });
    void look.catch(() => undefined);
  }
}

const isSecret = (seen: Position): boolean => seen.scene.pieces.some(({ properties }) => properties["secret"] === true);
