import { mustPass } from "../lib/device_holder";
import type { Session } from "../lib/session.svelte";
import type { Position } from "../generated/messages";

/** A shared device: what its holder may see, and to whom it must be passed. */
export class OneDevice {
  /** The position as the holder sees it. */
  held = $state.raw<Position | null>(null);
  /** The seat to pass the device to before showing the position. */
  passTo = $state.raw<Position | null>(null);
  /** The seat that holds the device. */
  #holder: number | null = null;

  constructor(private readonly session: Session) {
    $effect(() => {
      const { latest, table } = session;
      if (!table?.hot_seat || !session.current || !latest) return;
      const mover = latest.to_move;
      const seat = mover === null ? undefined : table.seats[mover];
      if (mover === null || seat?.kind !== "person" || seat.bot_plays) {
        // The device stays with its holder while a bot plays.
        this.held = this.passTo = null;
        return;
      }
      this.#showTo(mover, latest);
    });
  }

  /** A view from before the last event has no choices; the next one is being loaded. */
  readonly heldNow: Position | null = $derived.by(() => this.held?.n === this.session.latest?.n ? this.held : null);
  /** Shows the view of a seat that is not to move. */
  readonly looksAside: boolean = $derived.by(() => this.held !== null && this.held.seat !== this.session.latest?.to_move);

  async lookThrough(seat: number): Promise<void> {
    if (this.session.latest) this.passTo = await this.session.lookAt(this.session.latest.n, seat);
  }

  take(): void {
    this.#holder = this.passTo?.seat ?? null;
    this.held = this.passTo;
    this.passTo = null;
  }

  /** Releases the device: the next player must confirm before hidden things are shown. */
  hideAgain(): void {
    this.held = null;
    this.#holder = null;
    const latest = this.session.latest;
    if (latest?.to_move != null) this.#showTo(latest.to_move, latest);
  }

  #showTo(mover: number, latest: Position): void {
    const look = this.session.lookAt(latest.n, mover).then((seen) => {
      if (!seen || this.session.latest !== latest) return;
      if (mustPass(this.#holder, seen)) {
        this.held = null;
        this.passTo = seen;
        return;
      }
      this.#holder = mover;
      this.passTo = null;
      this.held = seen;
    });
    void look.catch(() => undefined); // gone again: what is there now is looked at by itself
  }
}
