/** The engine that runs on this page. */
import { correctedAlone, type Correction } from "../generated/arithmetic";
import type { Seen } from "../generated/messages";
import type { Candidate } from "./candidates";
import { EnginePool } from "./pool";
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

/** A candidate for display, with a calibrated win probability. */
export const shown = (candidate: Candidate, { corrections, seats }: Seen): Candidate => ({
  ...candidate,
  ...correctedAlone(corrections["decision"] as unknown as Correction, candidate.chance, candidate.error, seats),
});

export const sightOf = ({ view, seats }: Seen): Sight => ({ view: Uint8Array.from(atob(view), (byte) => byte.charCodeAt(0)), seats });
