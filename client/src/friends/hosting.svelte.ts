/**
 * A table of this device with guests: each guest's messages go to the authority through a socket of their
 * own, as if the guest were at this device's tables, and the authority's messages for that socket go back.
 * So a guest gets what a server would send, and nothing else.
 */
import type { Socket } from "../lib/transport";
import { transportTo } from "../lib/transport";
import { pack, unpack } from "./description";
import { alone, keep, read, type HostRecord } from "./kept";
import { noteHosted } from "./known";
import { Line, newRecord, type LineRecord } from "./line";
import type { Pending } from "./link";
import { LARGEST_FROM_GUEST, rematchIn, type Asked, type FromGuest, type FromHost } from "./messages";
import { answerGuests, newRoom, roomMark } from "./room";
import { meetingSettings } from "./site_settings";

/** The host's limits for one guest, as those of a server for one socket. */
const MESSAGES = { burst: 40, perSecond: 10 };
const LONGEST_MESSAGE = 4 * 1024;
const MOST_SOCKETS = 4;
const MOST_TOO_FAST = 40;
/** Guests of one table, and invitations that wait for their answer. */
const MOST_GUESTS = 12;
const MOST_INVITATIONS = 6;
/** How long it may take until this tab holds the lines, if no other does. */
const LOCKED_WITHIN = 1_000;
/** Between two attempts to find a guest after a reload of this page. */
const PAUSES = [2_000, 5_000, 15_000, 30_000];

export class Bucket {
  #tokens = MESSAGES.burst;
  #at = 0;

  take(now = performance.now()): boolean {
    this.#tokens = Math.min(MESSAGES.burst, this.#tokens + ((now - this.#at) / 1000) * MESSAGES.perSecond);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** Forwards between one guest and the authority. */
export class GuestBridge {
  #sockets = new Map<number, Socket>();
  #bucket = new Bucket();
  #tooFast = 0;
  #allowed: Set<string>;

  constructor(
    table: string,
    private readonly send: (message: FromHost) => void,
    /** Cut this guest off. */
    private readonly cutOff: () => void,
  ) {
    this.#allowed = new Set([table]);
  }

  /** The guest is gone: close its sockets. */
  close(): void {
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  hear(message: unknown): void {
    if (!isFromGuest(message)) return this.cutOff();
    if (!this.#bucket.take()) return this.#refuse(message);
    this.#tooFast = 0;
    if ("open" in message) this.#open(message.open, message.table);
    else if ("say" in message) this.#sockets.get(message.say)?.send(message.text);
    else if ("ask" in message) void this.#ask(message);
    else {
      this.#sockets.get(message.shut)?.close();
      this.#sockets.delete(message.shut);
    }
  }

  #open(number: number, table: string): void {
    if (!this.#allowed.has(table) || this.#sockets.has(number) || this.#sockets.size >= MOST_SOCKETS)
      return this.send({ shut: number });
    const socket = transportTo("").open(table);
    this.#sockets.set(number, socket);
    const is = (act: () => void) => () => this.#sockets.get(number) === socket && act();
    socket.onopen = is(() => this.send({ opened: number }));
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (this.#sockets.get(number) !== socket) return;
      const text = String(data);
      const rematch = rematchIn(text);
      if (rematch) this.#allowed.add(rematch);
      this.send({ said: number, text });
    };
    socket.onclose = is(() => {
      this.#sockets.delete(number);
      this.send({ shut: number });
    });
  }

  async #ask({ ask, path, language, body }: Asked): Promise<void> {
    const found = /^\/api\/tables\/([\w-]{8,32})(\/join|\/record|\/course|\/draws|\/lines\/\d{1,8}\/[\d,]{1,200})?$/.exec(path);
    const request = { path, language: language === "fr" ? "fr" : "en", ...(body === undefined ? {} : { body }) };
    const answer =
      found && this.#allowed.has(found[1]!)
        ? await transportTo("").ask(request).catch(() => null)
        : { status: 404, text: JSON.stringify({ code: "no_address", message: "" }) };
    if (answer) this.send({ told: ask, ...answer });
  }

  /** As a server refuses a message for its rate. */
  #refuse(message: FromGuest): void {
    if (++this.#tooFast > MOST_TOO_FAST) return this.cutOff();
    const problem = { code: "too_fast", message: "too many messages: wait a moment, then send it again", rule: null };
    if ("ask" in message) this.send({ told: message.ask, status: 429, text: JSON.stringify(problem) });
    else if ("open" in message) this.send({ shut: message.open });
    else if ("say" in message) {
      const id = /"id":"([\w-]{1,40})"/.exec(message.text)?.[1] ?? null;
      this.send({ said: message.say, text: JSON.stringify({ type: "refused", id, problem }) });
    } else this.#sockets.get(message.shut)?.close();
  }
}

function isFromGuest(message: unknown): message is FromGuest {
  if (typeof message !== "object" || message === null) return false;
  const { open, say, shut, ask, table, text, path, language, body } = message as Record<string, unknown>;
  if ([open, say, shut, ask].filter(Number.isSafeInteger).length !== 1) return false;
  if (open !== undefined) return typeof table === "string";
  if (say !== undefined) return typeof text === "string" && text.length <= LONGEST_MESSAGE;
  if (ask !== undefined) return typeof path === "string" && typeof language === "string" && (body === undefined || typeof body === "string");
  return true;
}

interface Guest {
  line: Line;
  bridge: GuestBridge;
}

/** The guests of one table. */
export class Hosting {
  /** Whether this tab holds the lines to the guests; false while another tab of the browser does, null if that is not
   * known yet. */
  active = $state<boolean | null>(null);
  /** The number of guests that are connected, and of those that are not. */
  connected = $state(0);
  away = $state(0);
  readonly #guests = new Map<string, Guest>();
  readonly #invitations = new Map<string, { line: Line; pending: Pending }>();
  readonly #servers = meetingSettings() ?? { signalling: null, ice: [], server: null };
  private record: HostRecord = { guests: {}, room: null };

  constructor(readonly table: string) {
    void alone(`host/${table}`).then(() => this.#begin());
    setTimeout(() => (this.active ??= false), LOCKED_WITHIN);
  }

  async #begin(): Promise<void> {
    this.record = (await read<HostRecord>(`host/${this.table}`)) ?? this.record;
    for (const [id, line] of Object.entries(this.record.guests)) {
      const guest = this.#addGuest(id, line);
      void this.#findBack(guest.line);
    }
    this.#count();
    if (this.record.room) this.#enter();
    const channel = new BroadcastChannel(ANSWERS);
    channel.onmessage = ({ data }: { data: { table: string; answer: string } }) => {
      if (data.table === this.table && data.answer) void this.take(data.answer).then(() => channel.postMessage({ taken: data.answer }), () => undefined);
    };
    this.active = true;
  }

  // ---- by two links ------------------------------------------------------------------------------

  /** The part of a link that invites one guest: an id, and an offer. */
  async invite(): Promise<string> {
    const id = toId(crypto.getRandomValues(new Uint8Array(6)));
    const { line } = this.#newGuest(id, await newRecord());
    const pending = line.pending();
    const offer = pack(await pending.offer());
    this.#invitations.set(id, { line, pending });
    for (const [old, { line: unused }] of this.#invitations) {
      if (this.#invitations.size <= MOST_INVITATIONS) break;
      this.#invitations.delete(old);
      unused.end();
    }
    return `${id}.${offer}`;
  }

  /** Take a guest's answer. Throws if it belongs to no invitation of this page. */
  async take(mark: string): Promise<void> {
    const [, id, answer] = MARK.exec(mark) ?? [];
    const invitation = id === undefined ? undefined : this.#invitations.get(id);
    if (!invitation) throw new Error("no such invitation");
    const description = unpack(answer!);
    if (description.type !== "answer") throw new Error("not an answer");
    await invitation.pending.expect(description);
    this.#invitations.delete(id!);
    void invitation.line.adopt(invitation.pending).catch(() => undefined);
  }

  // ---- by a signalling server --------------------------------------------------------------------

  get hasSignalling(): boolean {
    return this.#servers.signalling !== null;
  }

  /** The part of a link that invites everybody. */
  async openRoom(): Promise<string> {
    if (!this.record.room) {
      this.record.room = newRoom();
      this.#keep();
      this.#enter();
    }
    return roomMark(this.record.room);
  }

  #enter(): void {
    const { signalling } = this.#servers;
    if (signalling && this.record.room) answerGuests(signalling, this.record.room, (offer) => this.#answer(offer));
  }

  async #answer(message: unknown): Promise<unknown> {
    const { id, offer } = message as { id: string; offer: string };
    if (!/^[\w-]{8,40}$/.test(id)) throw new Error("no id");
    const { line } = this.#guests.get(id) ?? this.#newGuest(id, await newRecord());
    const pending = line.pending();
    await pending.answer(unpack(offer));
    const answer = pack(await pending.gathered());
    void line.adopt(pending, false).catch(() => pending.close());
    return { answer };
  }

  // ---- guests ------------------------------------------------------------------------------------

  #newGuest(id: string, record: LineRecord): Guest {
    const known = [...this.#guests];
    for (const [old, { line }] of known.slice(0, Math.max(0, known.length + 1 - MOST_GUESTS - MOST_INVITATIONS))) {
      line.end();
      this.#guests.delete(old);
      delete this.record.guests[old];
    }
    return this.#addGuest(id, record);
  }

  #addGuest(id: string, record: LineRecord): Guest {
    const line: Line = new Line(record, this.#servers.ice, LARGEST_FROM_GUEST, {
      connected: (open) => {
        if (open) guest.bridge = this.#bridge(line);
        else guest.bridge.close();
        if (open) this.#keepGuest(id, line.record);
        this.#count();
      },
      message: (message) => guest.bridge.hear(message),
      keep: (changed) => this.#keepGuest(id, changed),
    });
    const guest: Guest = { line, bridge: this.#bridge(line) };
    this.#guests.set(id, guest);
    return guest;
  }

  #bridge(line: Line): GuestBridge {
    return new GuestBridge(this.table, (message) => line.send(message), () => line.break());
  }

  /** After a reload of this page: the guests' doors. */
  async #findBack(line: Line): Promise<void> {
    for (let attempt = 0; !line.open; attempt += 1) {
      if (await line.findBack()) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(attempt, PAUSES.length - 1)]));
    }
  }

  #count(): void {
    const known = Object.keys(this.record.guests).map((id) => this.#guests.get(id)?.line.open ?? false);
    this.connected = known.filter(Boolean).length;
    this.away = known.length - this.connected;
  }

  #keepGuest(id: string, line: LineRecord): void {
    this.record.guests[id] = line;
    this.#keep();
  }

  #keep(): void {
    noteHosted(this.table);
    void keep(`host/${this.table}`, this.record);
  }
}

/** An invitation or its answer: the id and the description. */
export const MARK = /^([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{1,600})$/;
/** Tabs of this browser hand answers to the tab that hosts. */
const ANSWERS = "archipel.answers";

const toId = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");

/** Hand an answer to the tab of this browser that hosts the table; false if there is none. */
export function handOver(table: string, answer: string): Promise<boolean> {
  const channel = new BroadcastChannel(ANSWERS);
  return new Promise<boolean>((resolve) => {
    channel.onmessage = ({ data }: { data: { taken?: string } }) => data.taken === answer && resolve(true);
    channel.postMessage({ table, answer });
    setTimeout(() => resolve(false), 3_000);
  }).finally(() => channel.close());
}

const known = new Map<string, Hosting>();

export function hostingOf(table: string): Hosting {
  let found = known.get(table);
  if (!found) known.set(table, (found = new Hosting(table)));
  return found;
}
