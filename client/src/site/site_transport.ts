/**
 * The tables of this browser, for the pages of a static site. One page owns them: it holds a lock and runs the
 * worker; the other pages reach the worker through it. When it closes, the next page in the queue takes over,
 * and all channels are opened again by their `Connection`.
 */
import type { ApiRequest, ApiResponse, Socket, Transport } from "../lib/transport";
import { meetingSettings } from "../friends/site_settings";
import { watchBattery } from "./battery";
import type { FromAuthority, Start, ToAuthority } from "./messages";
import { fetchPackages } from "./runtime";
import { siteState } from "./site_state.svelte";

/** Between pages. */
type Note =
  | { kind: "who" }
  | { kind: "owner" }
  | { kind: "seen"; page: string; thinks: boolean }
  | { kind: "to_owner"; page: string; message: ToAuthority }
  | { kind: "to_page"; page: string; message: FromAuthority }
  | { kind: "to_all"; message: FromAuthority };

/** The requests whose answers are files of the site. */
const FILES = /^\/api\/(games|(rules|sentences|lessons)\/[a-z0-9-]+\/[a-z]+|puzzles\/[a-z0-9-]+)$/;

/** The address of the folder of the site. */
export const site = new URL(".", location.href).href;
/** The address of the Python runtime. */
const runtime = new URL(document.documentElement.dataset.site!, site).href;
/** The name of this page in the names of its channels and requests, and of the lock that lasts as long as the page. */
const PAGE = crypto.randomUUID();
const lockOf = (page: string) => `archipel page ${page}`;

class PortSocket implements Socket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;

  constructor(
    readonly channel: string,
    readonly table: string,
    private readonly link: Link,
  ) {}

  send(text: string): void {
    this.link.send({ kind: "text", channel: this.channel, text });
  }

  close(): void {
    this.link.forget(this);
  }
}

class Link {
  readonly #notes = new BroadcastChannel(`archipel ${site}`);
  readonly #sockets = new Map<string, PortSocket>();
  readonly #asked = new Map<string, { message: ToAuthority; resolve: (answer: FromAuthority & { kind: "answer" }) => void }>();
  /** The worker, in the page that owns it. */
  #worker: Worker | null = null;
  #ready = false;
  #counter = 0;
  /** In the owner: the other pages, whether bots think for them, and their channels. */
  readonly #pages = new Map<string, { thinks: boolean; channels: Set<string> }>();

  constructor() {
    this.#notes.onmessage = ({ data }: MessageEvent<Note>) => this.#heard(data);
    void navigator.locks.request(lockOf(PAGE), () => new Promise(() => undefined));
    void navigator.locks.request(`archipel ${site}`, () => {
      this.#own();
      return new Promise(() => undefined);
    });
    this.#note({ kind: "who" });
    document.addEventListener("visibilitychange", () => this.#tellSeen());
    this.#tellSeen();
    void watchBattery(() => this.#tellSeen());
  }

  // ---- for this page -----------------------------------------------------------------------------------

  open(table: string): Socket {
    const socket = new PortSocket(`${PAGE}/${this.#counter++}`, table, this);
    this.#sockets.set(socket.channel, socket);
    if (this.#ready) queueMicrotask(() => this.#begin(socket));
    return socket;
  }

  forget(socket: PortSocket): void {
    if (this.#sockets.delete(socket.channel)) this.send({ kind: "close", channel: socket.channel });
  }

  ask(message: (request: string) => ToAuthority): Promise<FromAuthority & { kind: "answer" }> {
    const request = `${PAGE}/${this.#counter++}`;
    return new Promise((resolve) => {
      this.#asked.set(request, { message: message(request), resolve });
      if (this.#ready) this.send(message(request));
    });
  }

  send(message: ToAuthority): void {
    if (this.#worker) this.#worker.postMessage(message);
    else this.#note({ kind: "to_owner", page: PAGE, message });
  }

  #begin(socket: PortSocket): void {
    if (!this.#sockets.has(socket.channel)) return;
    this.send({ kind: "open", channel: socket.channel, table: socket.table });
    socket.onopen?.(undefined as never);
  }

  /** There is a worker that answers, perhaps another one than before. */
  #begun(): void {
    if (this.#ready) this.#lost();
    this.#ready = true;
    siteState.ready = true;
    siteState.over();
    for (const socket of this.#sockets.values()) this.#begin(socket);
    for (const { message } of this.#asked.values()) this.send(message);
  }

  /** Channels end with their worker; requests are asked again. */
  #lost(): void {
    this.#ready = false;
    const open = [...this.#sockets.values()];
    this.#sockets.clear();
    for (const socket of open) socket.onclose?.(undefined as never);
  }

  #take(message: FromAuthority): void {
    switch (message.kind) {
      case "text":
        this.#sockets.get(message.channel)?.onmessage?.({ data: message.text } as never);
        break;
      case "closed": {
        const socket = this.#sockets.get(message.channel);
        this.#sockets.delete(message.channel);
        socket?.onclose?.(undefined as never);
        break;
      }
      case "answer":
        this.#asked.get(message.request)?.resolve(message);
        this.#asked.delete(message.request);
        break;
      case "loading":
        siteState.loaded = message.done;
        break;
      case "failed":
        siteState.failure = message.why;
        siteState.over();
        console.error(`no tables: ${message.why} ${message.detail}`);
        break;
      case "ready":
        // For benchmarks.
        for (const [event, at] of Object.entries(message.times)) performance.mark(`tables: ${event}`, { startTime: Math.max(0, at - performance.timeOrigin) });
        this.#begun();
        break;
    }
  }

  // ---- between pages -----------------------------------------------------------------------------------

  #note(note: Note): void {
    this.#notes.postMessage(note);
  }

  #tellSeen(): void {
    if (this.#worker) this.#rest();
    else this.#note({ kind: "seen", page: PAGE, thinks: thinksHere() });
  }

  #heard(note: Note): void {
    switch (note.kind) {
      case "to_page":
        if (note.page === PAGE) this.#take(note.message);
        break;
      case "to_all":
        this.#take(note.message);
        break;
      case "owner":
        // Of another page; the own worker reports by itself.
        if (!this.#ready) this.#begun();
        this.#tellSeen();
        break;
      case "who":
        if (this.#worker && this.#ready) this.#note({ kind: "owner" });
        if (this.#worker && siteState.failure) this.#note({ kind: "to_all", message: { kind: "failed", why: siteState.failure, detail: "" } });
        break;
      case "seen":
        if (this.#worker) {
          this.#page(note.page).thinks = note.thinks;
          this.#rest();
        }
        break;
      case "to_owner":
        if (this.#worker) {
          const { channels } = this.#page(note.page);
          if (note.message.kind === "open") channels.add(note.message.channel);
          this.#worker.postMessage(note.message);
        }
        break;
    }
  }

  // ---- as the owner ------------------------------------------------------------------------------------

  #own(): void {
    // The channels through the page that owned the tables before are gone.
    if (this.#ready) this.#lost();
    this.#worker = new Worker(new URL("./authority_worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<FromAuthority>) => this.#fromWorker(data);
    this.#worker.onerror = (event) => this.#fromWorker({ kind: "failed", why: "runtime", detail: event.message });
    const server = meetingSettings()?.server ?? "";
    this.#worker.postMessage({ runtime, site, server } satisfies Start);
    this.#rest();
  }

  #fromWorker(message: FromAuthority): void {
    if (message.kind === "fetch_packages") return void this.#bringPackages();
    const name = "channel" in message ? message.channel : "request" in message ? message.request : null;
    const page = name?.slice(0, name.indexOf("/"));
    if (page && page !== PAGE) return this.#note({ kind: "to_page", page, message });
    this.#take(message);
    if (!page) this.#note({ kind: "to_all", message });
    if (message.kind === "ready") this.#prepareNextVisit();
  }

  async #bringPackages(): Promise<void> {
    const packages = await fetchPackages(runtime).catch(() => null);
    this.#worker?.postMessage({ kind: "packages", packages } satisfies ToAuthority, packages ? [packages.buffer] : []);
  }

  /** The pages that this page knows of; when one is gone, its channels close. */
  #page(page: string): { thinks: boolean; channels: Set<string> } {
    let found = this.#pages.get(page);
    if (!found) {
      const made = (found = { thinks: true, channels: new Set<string>() });
      this.#pages.set(page, made);
      void navigator.locks.request(lockOf(page), () => {
        this.#pages.delete(page);
        for (const channel of made.channels) this.#worker?.postMessage({ kind: "close", channel } satisfies ToAuthority);
        this.#rest();
      });
    }
    return found;
  }

  #rest(): void {
    const thinks = thinksHere() || [...this.#pages.values()].some((page) => page.thinks);
    this.#worker?.postMessage({ kind: "rest", resting: !thinks } satisfies ToAuthority);
  }

  #prepareNextVisit(): void {
    // When the first game has begun.
    setTimeout(() => {
      const worker = new Worker(new URL("./snapshot_worker.ts", import.meta.url), { type: "module" });
      worker.postMessage({ runtime });
    }, SNAPSHOT_AFTER);
  }
}

/** Whether bots think for this page: it is visible, and the battery is not to be saved. */
const thinksHere = (): boolean => document.visibilityState === "visible" && !siteState.saving;

/** How long after the start the snapshot for the next visit is made, in milliseconds. */
const SNAPSHOT_AFTER = 15_000;

export const link = new Link();

export const siteTransport: Transport = {
  open: (table) => link.open(table),
  async ask({ path, language, body }: ApiRequest): Promise<ApiResponse> {
    if (path === "/api/addresses") return { status: 200, text: "[]" };
    if (body === undefined && FILES.test(path)) {
      const response = await fetch(new URL(`${path.slice(1)}.json`, site));
      return { status: response.status, text: await response.text() };
    }
    const { status, text } = await link.ask((request) => ({ kind: "ask", request, path, language, body: body ?? null }));
    return { status, text };
  },
};

/** A table as a file for a server, and the number of its last event. */
export async function packTable(table: string): Promise<{ n: number; file: Uint8Array }> {
  const { status, text, file } = await link.ask((request) => ({ kind: "pack", request, table }));
  if (status !== 200 || !file) throw new Error(text);
  return { n: Number(text), file };
}
