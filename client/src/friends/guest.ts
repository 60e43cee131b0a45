/** The tables of a friend's device, for a guest: the same messages as with a server, over a line to the host. */
import type { ApiRequest, ApiResponse, Socket, Transport } from "../lib/transport";
import { useTransport } from "../lib/transport";
import { t } from "../texts/index.svelte";
import { pack, unpack } from "./description";
import { alone, keep, read, type GuestRecord } from "./kept";
import { lineOf, noteGuest } from "./known";
import { Line, newRecord, type LineRecord } from "./line";
import { LARGEST_FROM_HOST, rematchIn, type FromGuest, type FromHost } from "./messages";
import { meetHost } from "./room";
import { meetingSettings } from "./site_settings";

/** How long a request or a new socket waits for the host. */
const PATIENCE = 15_000;
const PAUSE = 2_000;

class GuestSocket implements Socket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;

  constructor(
    private readonly number: number,
    private readonly transport: GuestTransport,
  ) {}

  send(text: string): void {
    this.transport.send({ say: this.number, text });
  }

  close(): void {
    this.transport.shut(this.number);
  }
}

export class GuestTransport implements Transport {
  readonly #line: Line;
  #count = 0;
  #sockets = new Map<number, { table: string; socket: GuestSocket }>();
  #asked = new Map<number, { request: ApiRequest; resolve: (answer: ApiResponse) => void }>();
  #seeking = false;
  #ended = new AbortController();

  constructor(
    /** The table that the line was made for. */
    readonly table: string,
    readonly record: GuestRecord,
  ) {
    this.#line = new Line(record.line, meetingSettings()?.ice ?? [], LARGEST_FROM_HOST, {
      connected: (open) => (open ? this.#connected() : this.#lost()),
      message: (message) => this.#hear(message as FromHost),
      keep: (line) => this.#keep(line),
    });
  }

  // ---- meeting the host --------------------------------------------------------------------------

  /** Our answer to a host's offer, to hand over; the line opens when the host takes it. */
  async answer(offer: string): Promise<string> {
    await this.#alone();
    const pending = this.#line.pending();
    await pending.answer(unpack(offer));
    const answer = pack(await pending.gathered());
    void this.#line.adopt(pending).catch(() => undefined);
    return answer;
  }

  /** Find the host until the line is open: by its doors, or at the signalling server. */
  async seek(): Promise<void> {
    if (this.#seeking) return;
    this.#seeking = true;
    await this.#alone();
    while (!this.#line.open && !this.#ended.signal.aborted) {
      if (!(await this.#line.findBack())) await this.#meet().catch(() => undefined);
      if (!this.#line.open) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    this.#seeking = false;
  }

  async #meet(): Promise<void> {
    const signalling = meetingSettings()?.signalling;
    const { id, room } = this.record;
    if (!signalling || !room || this.#line.open) return;
    const pending = this.#line.pending();
    try {
      const offer = { id, offer: pack(await pending.offer()) };
      // The doors are tried again every now and then, too.
      const patience = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(30_000)]);
      const { answer } = (await meetHost(signalling, room, offer, patience)) as { answer: string };
      await pending.expect(unpack(answer));
      await this.#line.adopt(pending, false);
    } catch (error) {
      pending.close();
      throw error;
    }
  }

  end(): void {
    this.#ended.abort();
    this.#line.end();
  }

  /** Only one tab of a browser holds a line: others wait until it is closed. */
  #alone(): Promise<void> {
    return (this.#locked ??= alone(`guest/${this.table}`));
  }
  #locked: Promise<void> | undefined;

  #keep(line: LineRecord): void {
    this.record.line = line;
    noteGuest(this.table, this.table);
    void keep(`guest/${this.table}`, this.record);
  }

  /** Resolves when the line is open. */
  whenOpen(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#line.open) resolve();
      else this.#waiting.push(resolve);
    });
  }
  #waiting: (() => void)[] = [];

  #connected(): void {
    for (const [number, { table }] of this.#sockets) this.send({ open: number, table });
    for (const [number, { request }] of this.#asked) this.send({ ask: number, ...request });
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }

  #lost(): void {
    const lost = [...this.#sockets.values()];
    this.#sockets.clear();
    for (const { socket } of lost) socket.onclose?.(undefined as never);
    void this.seek();
  }

  // ---- transport ---------------------------------------------------------------------------------

  open(table: string): Socket {
    const number = ++this.#count;
    const socket = new GuestSocket(number, this);
    this.#sockets.set(number, { table, socket });
    if (this.#line.open) this.send({ open: number, table });
    else {
      void this.seek();
      setTimeout(() => {
        if (!this.#line.open && this.#sockets.delete(number)) socket.onclose?.(undefined as never);
      }, PATIENCE);
    }
    return socket;
  }

  ask(request: ApiRequest): Promise<ApiResponse> {
    const number = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#asked.set(number, { request, resolve });
      if (this.#line.open) this.send({ ask: number, ...request });
      else void this.seek();
      setTimeout(() => {
        if (this.#asked.delete(number)) reject(new Error("the host does not answer"));
      }, PATIENCE);
    });
  }

  away(): string {
    return t().friends.hostAway;
  }

  send(message: FromGuest): void {
    this.#line.send(message);
  }

  shut(number: number): void {
    if (this.#sockets.delete(number)) this.send({ shut: number });
  }

  #hear(message: FromHost): void {
    if ("said" in message) {
      const rematch = rematchIn(message.text);
      if (rematch && lineOf(rematch) === undefined) {
        noteGuest(rematch, this.table);
        useTransport(this, rematch);
      }
      this.#sockets.get(message.said)?.socket.onmessage?.({ data: message.text } as never);
    } else if ("opened" in message) this.#sockets.get(message.opened)?.socket.onopen?.(undefined as never);
    else if ("shut" in message) {
      const found = this.#sockets.get(message.shut);
      this.#sockets.delete(message.shut);
      found?.socket.onclose?.(undefined as never);
    } else if ("told" in message) {
      this.#asked.get(message.told)?.resolve({ status: message.status, text: message.text });
      this.#asked.delete(message.told);
    }
  }
}

// ---- the guest's tables --------------------------------------------------------------------------

const known = new Map<string, Promise<GuestTransport>>();

/** The way to a friend's table, made or remembered. `room`: where its host answers at the signalling server. */
export function guestOf(table: string, id: string | null = null, room: string | null = null): Promise<GuestTransport> {
  const line = lineOf(table) ?? table;
  let found = known.get(line);
  if (!found) {
    found = read<GuestRecord>(`guest/${line}`).then(
      async (kept) => new GuestTransport(line, kept ?? { id: id ?? crypto.randomUUID(), line: await newRecord(), room }),
    );
    known.set(line, found);
  }
  return found.then((transport) => {
    if (id !== null) transport.record.id = id;
    if (room !== null) transport.record.room = room;
    useTransport(transport, table);
    return transport;
  });
}
