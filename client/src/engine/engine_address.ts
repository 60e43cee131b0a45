/** Which games have an engine here. */
import { listGames } from "../lib/http";

const known = new Map<string, string>();

/** The address of a game's engine; null if the server has none yet. */
export async function engineOf(game: string): Promise<string | null> {
  if (!known.has(game)) for (const { name, engine } of await listGames()) if (engine) known.set(name, engine);
  return known.get(game) ?? null;
}

/** Forget the address, because the file is gone. */
export const forgetEngines = (): void => known.clear();
