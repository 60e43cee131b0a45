import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, Refusal, type Listener } from "../src/lib/connection";
import type { Socket } from "../src/lib/transport";
import type { FromBrowser, ToBrowser } from "../src/generated/messages";

class FakeSocket implements Socket {
  sent: FromBrowser[] = [];
  closed = false;
  readyState = 1;
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
  listener = { hello: vi.fn(() => ({ type: "hello" })), news: vi.fn(), status: vi.fn(), unsure: vi.fn(), refused: vi.fn() };
  connection = new Connection(listener as unknown as Listener, () => {
    sockets.push(new FakeSocket());
    return last();
  });
  connection.start();
  last().opens();
});
afterEach(() => vi.useRealTimers());

describe("a connection", () => {
  it("says hello first, and sends requests only after the welcome", () => {
    void connection.request({ type: "play", n: 3, action: 0 });
    expect(last().sent.map(({ type }) => type)).toEqual(["hello"]);
    last().says(WELCOME);
    expect(last().sent.map(({ type }) => type)).toEqual(["hello", "play"]);
  });

  it("sends nothing on a socket that is closing, and resends it on the next one", () => {
    last().says(WELCOME);
    last().readyState = 2;
    void connection.request({ type: "play", n: 3, action: 0 });
    expect(last().sent.map(({ type }) => type)).toEqual(["hello"]);
    last().breaks();
    vi.advanceTimersByTime(60_000);
    last().opens();
    last().says(WELCOME);
    expect(last().sent.map(({ type }) => type)).toEqual(["hello", "play"]);
  });

  it("resends unanswered requests with the same id after reconnecting", async () => {
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

  it("backs off after each failure", () => {
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

  it("reconnects after a silence", () => {
    last().says(WELCOME);
    vi.advanceTimersByTime(10_000);
    expect(last().sent.at(-1)).toEqual({ type: "ping" });
    vi.advanceTimersByTime(30_000);
    expect(listener.status).toHaveBeenCalledWith("offline");
    expect(sockets.length).toBeGreaterThan(1);
  });

  it("checks an open socket when the network changes", () => {
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

  it("rejects a refused request", async () => {
    last().says(WELCOME);
    const answer = connection.request({ type: "play", n: 3, action: 9 });
    const { id } = last().sent[1] as { id: string };
    last().says({ type: "refused", id, problem: { code: "illegal", message: "no", rule: "DS-T2" } });
    await expect(answer).rejects.toBeInstanceOf(Refusal);
  });

  it("asks again with the same id until the outcome is known", async () => {
    last().says(WELCOME);
    const answer = connection.request({ type: "play", n: 3, action: 0 });
    const first = last().sent[1] as { id: string };
    const problem = { code: "unknown", message: "perhaps", rule: null };
    for (let doubts = 1; doubts <= 3; doubts++) {
      last().says({ type: "unknown", id: first.id, problem });
      expect(listener.unsure).toHaveBeenLastCalledWith(true);
      vi.advanceTimersByTime(4_000);
      expect(last().sent.filter(({ type }) => type === "play")).toEqual(Array(doubts + 1).fill(first));
    }
    last().says({ type: "done", id: first.id, n: 4, table: null });
    await expect(answer).resolves.toMatchObject({ n: 4 });
    expect(listener.unsure).toHaveBeenLastCalledWith(false);
    vi.advanceTimersByTime(4_000);
    expect(last().sent.filter(({ type }) => type === "play")).toHaveLength(4);
  });

  it("accepts a refusal of what was uncertain", async () => {
    last().says(WELCOME);
    const answer = connection.request({ type: "play", n: 3, action: 0 });
    const { id } = last().sent[1] as { id: string };
    const problem = { code: "unknown", message: "perhaps", rule: null };
    last().says({ type: "unknown", id, problem });
    last().says({ type: "refused", id, problem: { code: "stale", message: "late", rule: null } });
    await expect(answer).rejects.toBeInstanceOf(Refusal);
    expect(listener.unsure).toHaveBeenLastCalledWith(false);
  });

  it("does not reconnect after the server refuses the hello", () => {
    last().says({ type: "refused", id: null, problem: { code: "no_table", message: "none" } });
    expect(listener.refused).toHaveBeenCalled();
    last().breaks();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });

  it("tries again after the server refuses the hello for a while", () => {
    last().says({ type: "refused", id: null, problem: { code: "stopping", message: "soon" } });
    expect(listener.refused).not.toHaveBeenCalled();
    expect(listener.status).toHaveBeenLastCalledWith("offline");
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(2);
  });

  it("ignores a replaced socket", () => {
    const old = last();
    connection.renew();
    old.breaks();
    old.says(WELCOME);
    expect(listener.news).not.toHaveBeenCalled();
    expect(sockets).toHaveLength(2);
  });
});
