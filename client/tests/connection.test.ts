import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, Refusal, type Listener, type Socket } from "../src/lib/connection";
import type { FromBrowser, ToBrowser } from "../src/generated/messages";

class FakeSocket implements Socket {
  sent: FromBrowser[] = [];
  closed = false;
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromBrowser);
  }
  close(): void {
    this.closed = true;
  }
  opens(): void {
    this.onopen?.(undefined as never);
  }
  says(message: ToBrowser): void {
    this.onmessage?.({ data: JSON.stringify(message) } as never);
  }
  breaks(): void {
    this.onclose?.(undefined as never);
  }
}

const WELCOME = { type: "welcome" } as ToBrowser;
let sockets: FakeSocket[];
let listener: { [K in keyof Listener]: ReturnType<typeof vi.fn> };
let connection: Connection;
const last = () => sockets.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  listener = { hello: vi.fn(() => ({ type: "hello" })), news: vi.fn(), status: vi.fn(), refused: vi.fn() };
  connection = new Connection(listener as unknown as Listener, () => {
    sockets.push(new FakeSocket());
    return last();
  });
  connection.start();
  last().opens();
});
afterEach(() => vi.useRealTimers());

describe("a connection", () => {
  it("greets first, and sends requests after the welcome only", () => {
    void connection.request({ type: "play", n: 3, action: 0 });
    expect(last().sent.map(({ type }) => type)).toEqual(["hello"]);
    last().says(WELCOME);
    expect(last().sent.map(({ type }) => type)).toEqual(["hello", "play"]);
  });

  it("sends what was not answered again after a break, under the same id", async () => {
    last().says(WELCOME);
    const answer = connection.request({ type: "play", n: 3, action: 0 });
    const first = last().sent[1] as { id: string };
    last().breaks();
    vi.advanceTimersByTime(20_000);
    expect(sockets).toHaveLength(2);
    last().opens();
    last().says(WELCOME);
    expect(last().sent[1]).toEqual(first);
    last().says({ type: "done", id: first.id, n: 4, table: null });
    await expect(answer).resolves.toMatchObject({ n: 4 });
    expect(connection.unanswered).toBe(0);
  });

  it("waits longer after every failure", () => {
    for (let failure = 0; failure < 3; failure++) {
      last().breaks();
      vi.advanceTimersByTime(12_000);
    }
    expect(sockets).toHaveLength(4);
    last().breaks();
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(4);
    connection.hurry();
    expect(sockets).toHaveLength(5);
  });

  it("takes silence for a break", () => {
    last().says(WELCOME);
    vi.advanceTimersByTime(10_000);
    expect(last().sent.at(-1)).toEqual({ type: "ping" });
    vi.advanceTimersByTime(30_000);
    expect(listener.status).toHaveBeenCalledWith("offline");
    expect(sockets.length).toBeGreaterThan(1);
  });

  it("does not trust an open socket when the network changes", () => {
    last().says(WELCOME);
    connection.hurry();
    expect(last().sent.at(-1)).toEqual({ type: "ping" });
    last().says({ type: "pong", server_time: 0 });
    vi.advanceTimersByTime(3_500);
    expect(listener.status).not.toHaveBeenCalledWith("offline");
    connection.hurry();
    vi.advanceTimersByTime(3_500);
    expect(listener.status).toHaveBeenCalledWith("offline");
  });

  it("throws a refusal with its problem", async () => {
    last().says(WELCOME);
    const answer = connection.request({ type: "play", n: 3, action: 9 });
    const { id } = last().sent[1] as { id: string };
    last().says({ type: "refused", id, problem: { code: "illegal", message: "no", rule: "DS-T2" } });
    await expect(answer).rejects.toBeInstanceOf(Refusal);
  });

  it("gives up where it is not welcome", () => {
    last().says({ type: "refused", id: null, problem: { code: "no_table", message: "none" } });
    expect(listener.refused).toHaveBeenCalled();
    last().breaks();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });

  it("ignores a socket that it has left", () => {
    const old = last();
    connection.renew();
    old.breaks();
    old.says(WELCOME);
    expect(listener.news).not.toHaveBeenCalled();
    expect(sockets).toHaveLength(2);
  });
});
