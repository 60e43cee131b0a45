/** The engine that runs on this page. */
import { correctedAlone, type Correction } from "../generated/arithmetic";
import type { Seen } from "../generated/messages";
import { EnginePool } from "./pool";
import type { RankedTurn } from "./ranking";
import type { Sight } from "./worker_messages";

let running: { address: string; pool: EnginePool } | null = null;

/** Returns the engine at an address, started if necessary. Only one runs at a time. */
export function engineAt(address: string): EnginePool {
  if (running?.address !== address) {
    running?.pool.close();
    running = { address, pool: new EnginePool(address) };
  }
  return running.pool;
}

/** Stops the engine. */
export function leaveEngine(): void {
  running?.pool.close();
  running = null;
}

/** A turn for display, with a calibrated win probability. */
export const shown = (turn: RankedTurn, { corrections, seats }: Seen): RankedTurn => ({
  ...turn,
  ...correctedAlone(corrections["decision"] as unknown as Correction, turn.chance, turn.error, seats),
});

export const sightOf = ({ view, seat, seats, horizon }: Seen): Sight => ({
  view: Uint8Array.from(atob(view), (byte) => byte.charCodeAt(0)),
  seat,
  seats,
  horizon,
});
