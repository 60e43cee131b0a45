/**
 * A lasting line between two browsers, over one connection after the other. Each end keeps two connections
 * ready ("doors") through which the other finds back: whose page was reloaded, or whose connection broke,
 * answers a door's offer with the credentials that the door expects. So no third party is needed unless
 * both pages are gone at once.
 */
import { pack, unpack, type Description } from "./description";
import { expectedAnswer, Link, newCredentials, Pending, type Credentials } from "./link";

/** What an end keeps to find back. */
export interface LineRecord extends Credentials {
  /** Offers of the other end's doors, the newest first. */
  doors: string[];
}

export const newRecord = async (): Promise<LineRecord> => ({ ...(await newCredentials()), doors: [] });

export interface LineEvents {
  /** The other end is connected, or not any more. */
  connected(open: boolean): void;
  message(message: unknown): void;
  /** The record has changed. */
  keep(record: LineRecord): void;
}

/** Doors made at a time; those made at the last connection stay open too, in case the new offers got lost. */
const DOORS = 2;

type Own = { line: "me"; me: string } | { line: "doors"; doors: string[] };

const isOwn = (message: unknown): message is Own => typeof message === "object" && message !== null && "line" in message;

export class Line {
  #link: Link | null = null;
  #doors: Pending[] = [];
  #trying: Pending | null = null;
  #ended = false;

  constructor(
    public record: LineRecord,
    private readonly servers: RTCIceServer[],
    /** The largest message that is accepted, in bytes. */
    private readonly largest: number,
    private readonly events: LineEvents,
  ) {}

  get open(): boolean {
    return this.#link !== null;
  }

  send(message: unknown): void {
    this.#link?.send(message);
  }

  /** A new connection for this line. */
  pending(): Pending {
    return new Pending(this.record, this.servers, this.largest);
  }

  /** Use a connection once it opens, instead of the present one. */
  async adopt(pending: Pending, patient = true): Promise<void> {
    const channel = await pending.opened(patient);
    if (this.#ended) return pending.close();
    this.#link?.close();
    if (this.#link) this.events.connected(false);
    this.#link = new Link(pending, channel, () => {
      this.#link = null;
      this.events.connected(false);
    });
    this.#link.send({ line: "me", me: pack(expectedAnswer(this.record)) });
    this.events.connected(true);
    this.#link.listen((message) => (isOwn(message) ? void this.#own(message) : this.events.message(message)));
  }

  /** Try the other end's doors. */
  async findBack(): Promise<boolean> {
    for (const door of this.record.doors) {
      if (this.#link || this.#ended) break;
      const pending = (this.#trying = this.pending());
      try {
        await pending.answer(unpack(door));
        await this.adopt(pending, false);
      } catch {
        pending.close();
      } finally {
        this.#trying = null;
      }
    }
    return this.open;
  }

  end(): void {
    this.#ended = true;
    this.#trying?.close();
    this.#link?.close();
    this.#link = null;
    this.#doors.forEach((door) => door.close());
  }

  /** Close the connection, as if it had broken. */
  break(): void {
    if (!this.#link) return;
    this.#link.close();
    this.#link = null;
    this.events.connected(false);
  }

  async #own(message: Own): Promise<void> {
    const link = this.#link;
    try {
      if (message.line === "me") {
        const doors = await this.#openDoors(unpack(message.me));
        link?.send({ line: "doors", doors });
      } else if (message.line === "doors" && Array.isArray(message.doors)) {
        const doors = message.doors.slice(0, DOORS).filter((door) => unpack(door).type === "offer");
        this.record = { ...this.record, doors: [...doors, ...this.record.doors].slice(0, 2 * DOORS) };
        this.events.keep(this.record);
      }
    } catch {
      this.break(); // not a message of this program
    }
  }

  /** New doors for the end with these credentials; returns their offers. */
  async #openDoors(answer: Description): Promise<string[]> {
    this.#doors.splice(0, this.#doors.length - DOORS).forEach((door) => door.close());
    const opening = Array.from({ length: DOORS }, () => this.pending());
    const offers = await Promise.all(opening.map((door) => door.offer()));
    for (const door of opening) {
      await door.expect({ ...answer, type: "answer", candidates: [] });
      this.adopt(door).then(
        () => (this.#doors = this.#doors.filter((other) => other !== door)),
        () => door.close(),
      );
    }
    this.#doors.push(...opening);
    return offers.map(pack);
  }
}
