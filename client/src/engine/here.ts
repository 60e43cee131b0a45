/** The engine that runs on this page. */
import type { Seen } from "../messages";
import { EnginePool } from "./pool";
import type { Sight } from "./work";

let running: { address: string; pool: EnginePool } | null = null;

/** The engine at an address, started if need be: one at a time. */
export function engineAt(address: string): EnginePool {
  if (running?.address !== address) {
    running?.pool.close();
    running = { address, pool: new EnginePool(address) };
  }
  return running.pool;
}

/** End it: the next one starts anew. */
export function leaveEngine(): void {
  running?.pool.close();
  running = null;
}

export const sightOf = ({ view, seats }: Seen): Sight => ({ view: Uint8Array.from(atob(view), (byte) => byte.charCodeAt(0)), seats });
