/** Which games have an engine here. */
import { listGames } from "../lib/http";

const known = new Map<string, string>();

/** Where the engine of a game is; null as long as the server has none. */
export async function engineOf(game: string): Promise<string | null> {
  if (!known.has(game)) for (const { name, engine } of await listGames()) if (engine) known.set(name, engine);
  return known.get(game) ?? null;
}

/** It was not there any more: ask anew. */
export const forgetEngines = (): void => known.clear();
