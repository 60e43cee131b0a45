/** Moves a table of this device to a server: sends its log, then closes it here. Guests follow by a link. */
import type { ArrivingTable, Problem } from "../generated/messages";
import { Refusal, type Session } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";

/** Moves of friends between the copy and the end make another copy necessary. */
const ATTEMPTS = 8;
/** The server did not take the table; the message says why, if the server did. */
export class NotMoved extends Error {}

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** Rejects with `NotMoved`, or with the `Refusal` of the table; then the table is still here. */
export async function moveTo(server: string, session: Session): Promise<void> {
  const { packTable } = await import("../site/site_transport");
  for (let attempt = 1; ; attempt += 1) {
    const { n, file } = await packTable(session.id);
    await send(server, file);
    try {
      await session.request({ type: "move_away", n });
      return;
    } catch (error) {
      const stale = error instanceof Refusal && error.problem.code === "stale";
      if (!stale || attempt === ATTEMPTS) throw error;
    }
  }
}

async function send(server: string, file: Uint8Array): Promise<void> {
  const response = await fetch(`${server}/api/arrivals`, {
    method: "POST",
    headers: { "Accept-Language": settings.language, "Content-Type": "application/json" },
    body: JSON.stringify({ file: base64(file) } satisfies ArrivingTable),
    credentials: "omit",
  }).catch(() => null);
  if (response?.ok) return;
  const problem = (await response?.json().catch(() => null)) as Problem | null | undefined;
  throw new NotMoved(problem?.message ?? "");
}
