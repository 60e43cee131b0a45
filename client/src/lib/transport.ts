/** How the page reaches the tables: those of a server, of a worker of this page, or of another browser. */

/** A channel to one table: whole messages in order, until either side closes it. `WebSocket` is one. */
export interface Socket {
  send(text: string): void;
  /** As of a `WebSocket`: more than 1 while it closes and after that. Undefined if sending is harmless then. */
  readonly readyState?: number;
  close(): void;
  onopen: ((event: never) => void) | null;
  /** Called with an object whose `data` is the text of a message. */
  onmessage: ((event: never) => void) | null;
  /** Called once, also if the channel never opened. */
  onclose: ((event: never) => void) | null;
}

/** A request of the API (see `docs/api.md`). */
export interface ApiRequest {
  /** From `/api/`. */
  path: string;
  language: string;
  /** JSON; the request is a POST if there is one, else a GET. */
  body?: string;
  /** The secret of a seat. */
  token?: string;
}

export interface ApiResponse {
  status: number;
  text: string;
}

export interface Transport {
  /** Opens a channel to a table. */
  open(table: string): Socket;
  /** Rejects if nobody answers; errors of the API are responses. */
  ask(request: ApiRequest): Promise<ApiResponse>;
  /** Text about a lost connection, instead of the usual one. */
  away?(): string;
}

/** The server that the page came from. */
export const server: Transport = {
  open: (table) => new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/tables/${table}/socket`) as never,
  async ask({ path, language, body, token }) {
    const response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Accept-Language": language,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  },
};

let usual: Transport = server;
const others = new Map<string, Transport>();

/** Use a transport for one table, or for all tables without a transport of their own. */
export function useTransport(transport: Transport, table?: string): void {
  if (table === undefined) usual = transport;
  else others.set(table, transport);
}

export const transportTo = (table: string): Transport => others.get(table) ?? usual;

/** The transport for a request: by the table in its path, if any. */
export const transportFor = (path: string): Transport => transportTo(/^\/api\/tables\/([\w-]+)/.exec(path)?.[1] ?? "");
