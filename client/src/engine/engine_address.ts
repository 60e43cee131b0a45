/** Which games have an engine here; the server may still be building some. */
import { listGames } from "../lib/http";

export interface EngineState {
  /** The address of the game's engine. */
  address: string | null;
  /** While the engine is being built: how many of the server's engines are ready. */
  building: { ready: number; all: number } | null;
}

/** The time between two questions to the server, in milliseconds. */
const AGAIN = 4_000;

/** Reports the state of a game's engine, until it is ready or there will be none; returns a function that
 * ends it. `fresh`: the known address did not work. */
export function followEngine(game: string, hear: (state: EngineState) => void, fresh = false): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const look = async (again: boolean): Promise<void> => {
    const games = await listGames(again).catch(() => []);
    if (ended) return;
    const found = games.find(({ name }) => name === game);
    const ready = games.filter(({ engine }) => engine).length;
    const building = found?.engine_coming ? { ready, all: ready + games.filter(({ engine_coming }) => engine_coming).length } : null;
    if (found) hear({ address: found.engine, building });
    // Without an answer ask again, too.
    if (building || !found) timer = setTimeout(() => void look(true), AGAIN);
  };
  void look(fresh);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
