import { describe, expect, it } from "vitest";
import { CHUNK, Framing, type Channel } from "../src/friends/framing";

class FakeChannel implements Channel {
  bufferedAmount = 0;
  bufferedAmountLowThreshold = 0;
  binaryType = "blob";
  sent: Uint8Array<ArrayBuffer>[] = [];
  closed = false;
  /** Whether sent bytes stay in the buffer. */
  slow = false;
  #listeners = new Map<string, (event: never) => void>();

  send(data: Uint8Array<ArrayBuffer>): void {
    this.sent.push(data);
    if (this.slow) this.bufferedAmount += data.length;
  }
  close(): void {
    this.closed = true;
  }
  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }
  drain(): void {
    this.bufferedAmount = 0;
    this.#listeners.get("bufferedamountlow")!(undefined as never);
  }
  hears(data: unknown): void {
    this.#listeners.get("message")!({ data } as never);
  }
}

const chunk = (mark: number, text: string) => Uint8Array.from([mark, ...new TextEncoder().encode(text)]).buffer;

function pair(largest = 100_000) {
  const [one, other] = [new FakeChannel(), new FakeChannel()];
  const heard: unknown[] = [];
  const sender = new Framing(one, 1_000, () => undefined);
  new Framing(other, largest, (message) => heard.push(message));
  const deliver = () => one.sent.splice(0).forEach((data) => other.hears(data.buffer));
  return { one, other, sender, heard, deliver };
}

describe("messages over a data channel", () => {
  it("arrive whole, whatever their size", () => {
    const { one, sender, heard, deliver } = pair();
    const messages = ["", "é", { text: "x".repeat(CHUNK * 3) }, ["—".repeat(CHUNK)], 1];
    messages.forEach((message) => sender.send(message));
    expect(one.sent.every(({ length }) => length <= CHUNK)).toBe(true);
    deliver();
    expect(heard).toEqual(messages);
  });

  it("wait while the buffer is full", () => {
    const { one, sender, heard, deliver } = pair(1_000_000);
    one.slow = true;
    sender.send("x".repeat(600_000));
    const before = one.sent.length;
    expect(before).toBeLessThan(20);
    deliver();
    expect(heard).toEqual([]);
    for (let round = 0; round < 4; round += 1) one.drain();
    deliver();
    expect(heard).toHaveLength(1);
    expect(one.closed).toBe(false);
  });

  it("cut off a peer that does not read", () => {
    const { one, sender } = pair();
    one.slow = true;
    for (let round = 0; round < 40; round += 1) sender.send("x".repeat(100_000));
    expect(one.closed).toBe(true);
  });

  it("cut off a peer that sends too much or something else", () => {
    for (const bad of [["text"], [chunk(1, "{")], [chunk(2, "1")], [new ArrayBuffer(1)], [chunk(1, "1".repeat(CHUNK))]]) {
      const { other, heard } = pair();
      bad.forEach((data) => other.hears(data));
      expect([other.closed, heard]).toEqual([true, []]);
    }
    const { other, sender, heard, deliver } = pair(1_000);
    sender.send("x".repeat(990));
    sender.send("x".repeat(2_000));
    deliver();
    expect([other.closed, heard.length]).toEqual([true, 1]);
  });
});
