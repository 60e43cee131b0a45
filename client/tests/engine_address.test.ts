import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EngineState } from "../src/engine/engine_address";
import type { GameDescription } from "../src/generated/messages";

type Line = Pick<GameDescription, "name" | "engine" | "engine_coming">;

const line = (name: string, engine: string | null, engine_coming = false): Line => ({ name, engine, engine_coming });
/** The answers of the server, in turn; the last one is repeated. */
let answers: (Line[] | null)[] = [];
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules(); // as after a page load
  asked = 0;
  vi.stubGlobal("fetch", async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (!answer) throw new TypeError("no network");
    return { status: 200, text: async () => JSON.stringify(answer) };
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const load = async () => ({ ...(await import("../src/engine/engine_address")), ...(await import("../src/lib/http")) });

describe("the engine of a game", () => {
  it("is found in the list of games, which is fetched once", async () => {
    answers = [[line("deep-sea", "/engine/one.wasm"), line("atlantis", null)]];
    const { followEngine, listGames } = await load();
    const heard: EngineState[] = [];
    await Promise.all([listGames(), listGames()]);
    followEngine("deep-sea", (state) => heard.push(state));
    followEngine("atlantis", (state) => heard.push(state));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(heard).toEqual([
      { address: "/engine/one.wasm", building: null },
      { address: null, building: null },
    ]);
    expect(asked).toBe(1);
  });

  it("is waited for while the server builds it or does not answer", async () => {
    answers = [
      [line("deep-sea", null, true), line("atlantis", null, true), line("plain", null)],
      null,
      [line("deep-sea", "/engine/one.wasm"), line("atlantis", null, true), line("plain", null)],
      [line("deep-sea", "/engine/one.wasm"), line("atlantis", "/engine/two.wasm"), line("plain", null)],
    ];
    const { followEngine } = await load();
    const heard: EngineState[] = [];
    followEngine("atlantis", (state) => heard.push(state));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(heard).toEqual([
      { address: null, building: { ready: 0, all: 2 } },
      { address: null, building: { ready: 1, all: 2 } },
      { address: "/engine/two.wasm", building: null },
    ]);
    expect(asked).toBe(4);
  });

  it("is not asked for any more once nobody waits for it", async () => {
    answers = [[line("deep-sea", null, true)]];
    const { followEngine } = await load();
    const heard: EngineState[] = [];
    const end = followEngine("deep-sea", (state) => heard.push(state));
    await vi.advanceTimersByTimeAsync(1_000);
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([heard.length, asked]).toEqual([1, 1]);
  });

  it("is looked up anew if its address did not work", async () => {
    answers = [[line("deep-sea", "/engine/old.wasm")], [line("deep-sea", "/engine/new.wasm")]];
    const { followEngine } = await load();
    const heard: (string | null)[] = [];
    followEngine("deep-sea", ({ address }) => heard.push(address));
    await vi.advanceTimersByTimeAsync(0);
    followEngine("deep-sea", ({ address }) => heard.push(address), true);
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(["/engine/old.wasm", "/engine/new.wasm"]);
  });
});
