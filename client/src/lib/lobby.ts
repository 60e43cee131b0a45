/** Finding, creating and joining tables, and invitation links. */
import type { Join, NewTable, Seated, TableLine } from "../generated/messages";
import { json, RequestError } from "./http";
import { keepTable } from "./tables";

export const listTables = () => json<TableLine[]>("/api/tables");

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The start of addresses to share. A page opened as localhost asks the server for it; null if only this
 * machine is reachable. */
export async function sharedOrigin(): Promise<string | null> {
  if (!LOOPBACK.test(location.hostname)) return location.origin;
  asked ??= json<string[]>("/api/addresses").catch(() => {
    asked = null;
    return [];
  });
  return (await asked)[0] ?? null;
}
let asked: Promise<string[]> | null = null;

const random = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Unanswered requests with their ids: a retry has the same id, so that a table is made and a seat taken
 * only once. */
const unanswered = new Map<string, { body: object; nonce: string }>();

/** Our share of the dice; if it cannot be made now, the table page makes it. */
const share = async () => {
  const dice = await import("./fair_dice").catch(() => null);
  return dice ? await dice.newShare() : { nonce: "", seal: "" };
};

const UNKNOWN = "unknown";
/** The pauses before a request is repeated whose outcome the server does not know, in milliseconds. */
const WAITS = [300, 1_000, 2_000, 4_000];

const isOneOf = (error: unknown, ...codes: string[]): boolean => error instanceof RequestError && codes.includes(error.problem.code);

/** Repeats a request until its outcome is known, or throws the last doubt. */
async function certain<T>(ask: () => Promise<T>): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await ask();
    } catch (error) {
      if (!isOneOf(error, UNKNOWN)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return ask();
}

async function once(path: string, wish: NewTable | Join): Promise<Seated> {
  const key = path + JSON.stringify(wish);
  let sent = unanswered.get(key);
  if (!sent) {
    const { nonce, seal } = await share();
    unanswered.set(key, (sent = { body: { ...wish, seal, request: random() }, nonce }));
  }
  try {
    const seated = await certain(() => json<Seated>(path, sent.body));
    unanswered.delete(key);
    if (sent.nonce) keepTable(seated.table, { nonces: [sent.nonce] });
    return seated;
  } catch (error) {
    if (!isOneOf(error, "unreachable", UNKNOWN)) unanswered.delete(key);
    throw error;
  }
}

export const makeTable = (wish: NewTable) => once("/api/tables", wish);
export const joinTable = (id: string, wish: Join) => once(`/api/tables/${id}/join`, wish);
