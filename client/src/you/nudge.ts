/** Reminding others from outside of their table. */
import type { Hello } from "../generated/messages";
import { Connection } from "../lib/connection";
import { RequestError } from "../lib/http";
import { settings } from "../lib/settings.svelte";
import { keptTable } from "../lib/tables";
import { transportTo } from "../lib/transport";
import { session } from "./identity";

/** Remind the player to move at a table. Throws `RequestError` if it is refused. */
export async function nudge(table: string): Promise<void> {
  const { token } = await session();
  const seat = keptTable(table)?.token;
  const hello: Hello = { type: "hello", ...(seat ? { token: seat } : {}), session: token, language: settings.language, protocol: 2 };
  const connection = new Connection(
    { hello: () => hello, news: () => undefined, status: () => undefined, unsure: () => undefined, refused: () => undefined },
    () => transportTo(table).open(table),
  );
  connection.start();
  try {
    await connection.request({ type: "nudge" });
  } catch (error) {
    throw error instanceof Error && "problem" in error ? new RequestError((error as RequestError).problem) : error;
  } finally {
    connection.end();
  }
}
