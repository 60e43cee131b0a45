/** A record file that was opened on this device: the server replays it and stores nothing, and the table
 * page shows it through a socket that answers from here. */
import type { FromBrowser, OpenedRecord, Position, ToBrowser } from "../generated/messages";
import { applied } from "../lib/differences";
import { json, RequestError } from "../lib/http";
import { RECORD } from "../lib/route.svelte";
import { transportTo, useTransport, type ApiRequest, type Socket } from "../lib/transport";
import { t } from "../texts/index.svelte";

/** The limit of the server, in characters. */
const MOST = 200_000;
/** Survives a reload, in this tab only. */
const KEY = "archipel.record";

let text = sessionStorage.getItem(KEY) ?? "";
let opened: Promise<OpenedRecord> | null = null;

const refusal = (message: string) => new RequestError({ code: "bad_record", message, rule: null });

/** Opens a file for the page `/record`. Throws `RequestError` with a text for the user. */
export async function openRecord(file: Blob): Promise<void> {
  if (file.size > 2 * MOST) throw refusal(t().record.tooLarge);
  const found = await file.text();
  if (!found.includes("archipel record ")) throw refusal(t().record.none);
  if (found.length > MOST) throw refusal(t().record.tooLarge);
  const answer = json<OpenedRecord>("/api/records", { record: found });
  await answer;
  [text, opened] = [found, answer];
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // Full or disabled: the record then lives as long as the page.
  }
}

/** Asks about a finished game: that of a table, or the opened record. */
export const askAbout = <T>(table: string, path: string): Promise<T> =>
  table === RECORD ? json<T>(`/api/records/${path}`, { record: text }) : json<T>(`/api/tables/${table}/${path}`);

/** Every position, in order. */
function positionsOf({ first, steps }: OpenedRecord): Position[] {
  const found = [first];
  for (const { n, change, text } of steps) found.push({ ...applied(found.at(-1)!, n, change ?? {}), ...(text === undefined ? {} : { text }) });
  return found;
}

class RecordSocket implements Socket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  #positions: Position[] = [];

  constructor() {
    queueMicrotask(() => this.onopen?.(undefined as never));
  }

  send(message: string): void {
    void this.#answer(JSON.parse(message) as FromBrowser).then((answer) => this.onmessage?.({ data: JSON.stringify(answer) } as never));
  }

  close(): void {}

  async #answer(message: FromBrowser): Promise<ToBrowser> {
    if (message.type === "ping") return { type: "pong", server_time: 0 };
    if (message.type === "hello") return this.#welcome(message.after !== undefined);
    if (message.type === "look_at") {
      const { n } = message;
      return { type: "looked", id: message.id, position: this.#positions.findLast((each) => each.n <= n) ?? null };
    }
    return { type: "refused", id: message.id, problem: { code: "not_playing", message: t().table.over, rule: null } };
  }

  async #welcome(again: boolean): Promise<ToBrowser> {
    const refused = (message: string): ToBrowser => ({ type: "refused", id: null, problem: { code: "bad_record", message, rule: null } });
    if (!text) return refused(t().record.gone);
    try {
      opened ??= json<OpenedRecord>("/api/records", { record: text });
      const { welcome, ...moves } = await opened;
      this.#positions = positionsOf({ welcome, ...moves });
      return again ? { ...welcome, whole: false, log: [] } : welcome;
    } catch (error) {
      opened = null;
      return refused(error instanceof RequestError ? error.problem.message : "");
    }
  }
}

useTransport({ open: () => new RecordSocket(), ask: (request: ApiRequest) => transportTo("").ask(request) }, RECORD);
