/**
 * Messages over a data channel: each is cut into chunks, because not every browser takes large ones, and
 * waits while the channel's buffer is full.
 */

/** The part of RTCDataChannel that this file uses. */
export interface Channel {
  readonly bufferedAmount: number;
  bufferedAmountLowThreshold: number;
  binaryType: string;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
  addEventListener(type: string, listener: (event: never) => void): void;
}

export const CHUNK = 16 * 1024;
/** Bytes in the browser's buffer before further chunks wait here. */
const FULL = 256 * 1024;
/** As for the sockets of a server: a peer that reads so slowly is cut off. */
const MOST_WAITING = 2 * 1024 * 1024;

const MORE = 0;
const LAST = 1;

/** Sends and receives whole messages; breaks the channel when a limit is exceeded. */
export class Framing {
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #waitingBytes = 0;
  #received: Uint8Array[] = [];
  #receivedBytes = 0;
  #broken = false;

  /** `largest`: the largest message that is accepted, in bytes. */
  constructor(
    private readonly channel: Channel,
    private readonly largest: number,
    private readonly receive: (message: unknown) => void,
  ) {
    channel.binaryType = "arraybuffer";
    channel.bufferedAmountLowThreshold = FULL / 2;
    channel.addEventListener("bufferedamountlow", () => this.#flush());
    channel.addEventListener("message", (event: { data: unknown }) => this.#take(event.data));
  }

  send(message: unknown): void {
    if (this.#broken) return;
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    for (let at = 0; at < bytes.length; at += CHUNK - 1) {
      const part = bytes.subarray(at, at + CHUNK - 1);
      const chunk = new Uint8Array(part.length + 1);
      chunk[0] = at + part.length < bytes.length ? MORE : LAST;
      chunk.set(part, 1);
      this.#waiting.push(chunk);
      this.#waitingBytes += chunk.length;
    }
    this.#flush();
    if (this.#waitingBytes > MOST_WAITING) this.#break();
  }

  #flush(): void {
    try {
      while (this.#waiting.length > 0 && this.channel.bufferedAmount < FULL) {
        this.channel.send(this.#waiting[0]!);
        this.#waitingBytes -= this.#waiting.shift()!.length;
      }
    } catch {
      this.#break(); // closed meanwhile
    }
  }

  #take(data: unknown): void {
    if (this.#broken) return;
    if (!(data instanceof ArrayBuffer) || data.byteLength < 2 || data.byteLength > CHUNK) return this.#break();
    const chunk = new Uint8Array(data);
    this.#received.push(chunk.subarray(1));
    this.#receivedBytes += chunk.length - 1;
    if (chunk[0]! > LAST || this.#receivedBytes > this.largest) return this.#break();
    if (chunk[0] === MORE) return;
    const bytes = new Uint8Array(this.#receivedBytes);
    let at = 0;
    for (const part of this.#received) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#received = [];
    this.#receivedBytes = 0;
    let message: unknown;
    try {
      message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      return this.#break();
    }
    this.receive(message);
  }

  #break(): void {
    this.#broken = true;
    this.#waiting = [];
    this.#received = [];
    this.channel.close();
  }
}
