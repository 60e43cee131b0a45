import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isSecret, mustPass } from "../src/lib/holding";
import { readingTime } from "../src/lib/pace";
import { Captions } from "../src/table/captions.svelte";
import type { Piece, Scene } from "../src/messages";

describe("captions", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("stay as long as it takes to read them, one after the other", () => {
    const captions = new Captions();
    const [first, second] = ["Alba walks to e6.", "Bruno takes the last beach away."] as const;
    captions.say(first);
    vi.advanceTimersByTime(100);
    captions.say(second);
    expect(captions.texts).toEqual([first, second]);
    expect(captions.left).toBe(50 * (first.length + second.length) - 100);
    vi.advanceTimersByTime(readingTime(first) - 101);
    expect(captions.texts).toEqual([first, second]);
    vi.advanceTimersByTime(1);
    expect(captions.texts).toEqual([second]);
    vi.advanceTimersByTime(readingTime(second) - 1);
    expect(captions.texts).toEqual([second]);
    vi.advanceTimersByTime(1);
    expect(captions.texts).toEqual([]);
    expect(captions.left).toBe(0);
  });

  it("are read at twenty characters a second, and gone when one goes on", () => {
    expect(readingTime("x".repeat(40))).toBe(2000);
    const captions = new Captions();
    captions.say("");
    expect(captions.texts).toEqual([]);
    captions.say("Something.");
    captions.clear();
    expect([captions.texts, captions.left]).toEqual([[], 0]);
  });
});

describe("several people on one device", () => {
  const piece = (secret: boolean): Piece => ({ id: "c", kind: "card", cell: "cards1", seat: 0, properties: { secret } });
  const scene = (secret: boolean, gauges: Record<string, unknown> = {}): Scene => ({ cells: [], pieces: [piece(secret)], gauges, choices: [] });

  it("pass it on before something hidden, a choice too, and only if it changes hands", () => {
    const open = { seat: 1, scene: scene(false) };
    const hidden = { seat: 1, scene: scene(true) };
    const hiddenChoice = { seat: 1, scene: scene(false, { private: true }) };
    expect([open, hidden, hiddenChoice].map(isSecret)).toEqual([false, true, true]);
    for (const holder of [0, null]) {
      expect([open, hidden, hiddenChoice].map((seen) => mustPass(holder, seen))).toEqual([false, true, true]);
    }
    expect([open, hidden, hiddenChoice].map((seen) => mustPass(1, seen))).toEqual([false, false, false]);
  });
});
