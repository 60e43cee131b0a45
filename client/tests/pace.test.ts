import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { isSecret, mustPass } from "../src/lib/device_holder";
import { readingTime } from "../src/lib/pace";
import { settings } from "../src/lib/settings.svelte";
import { Captions } from "../src/table/captions.svelte";
import { Stage } from "../src/table/stage.svelte";
import type { Act, Face, Layout } from "../src/board/face";
import { nextMovement, type Frame } from "../src/lib/session.svelte";
import { say, type Sentences } from "../src/lib/words";
import rounds from "./rounds_of_two_bots.json?raw";
import type { Happening, Piece, Position, Scene } from "../src/generated/messages";

describe("captions", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("stay for their reading time, one after the other", () => {
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

  it("have a reading speed of twenty characters per second and can be cleared", () => {
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
  const scene = (secret: boolean, gauges: Record<string, unknown> = {}): Scene => ({ cells: [], pieces: [piece(secret)], gauges, choices: [], paths: [] });

  it("pass it on before hidden pieces or choices, and only to another seat", () => {
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

describe("the stage", () => {
  const EMPTY_BOARD = { querySelector: () => null, querySelectorAll: () => [], clientWidth: 300, clientHeight: 300 };
  const position = { scene: { cells: [], pieces: [], gauges: {}, choices: [], paths: [] } } as unknown as Position;
  const EMPTY = { left: 0, top: 0, width: 300, height: 300 };
  const layout: Layout = { width: 300, height: 300, cells: new Map(), pieces: new Map(), more: null, field: { window: EMPTY, extent: EMPTY } };
  const ACTS: Record<string, Act> = { spin: { tellsAfter: true, lasts: 900 }, step: { brief: true, lasts: 200 }, walk: { lasts: 300 } };

  function stage(isOwn = false): Stage {
    const face = { act: ({ key }: Happening) => ACTS[key] ?? {}, layout: () => layout, round: { ends: "round_end", begins: "round_start" } };
    const made = new Stage(() => face as unknown as Face, (() => ({})) as never, ({ key }) => `${key} is told here.`, () => isOwn);
    made.board = EMPTY_BOARD as unknown as SVGSVGElement;
    return made;
  }
  const frame = (...keys: string[]) => ({
    n: 1,
    position,
    entries: [{ n: 1, seat: 1, kind: "played", at: 0, happenings: keys.map((key) => ({ key, details: {} })) }],
  });

  beforeAll(() => import("../src/board/motion")); // preloaded, as on an open page
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    settings.set({ speed: "normal" });
  });

  it("shows the spinner's caption when the spinner stops", async () => {
    const shown = stage();
    void shown.show(position, frame("spin"));
    await vi.advanceTimersByTimeAsync(899);
    expect(shown.caption).toBe("");
    await vi.advanceTimersByTimeAsync(2);
    expect(shown.caption).toBe("spin is told here.");
  });

  it("waits for the reading time of opponents' moves, including brief events before them", async () => {
    const shown = stage();
    void shown.show(position, frame("step", "walk", "walk"));
    await vi.advanceTimersByTimeAsync(250);
    expect(shown.captions.texts).toEqual(["step is told here.", "walk is told here."]);
    await vi.advanceTimersByTimeAsync(readingTime("step is told here.walk is told here.") - 251);
    expect(shown.captions.texts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(shown.captions.texts).toEqual(["walk is told here."]); // the second walk
  });

  it("does not wait after the player's own moves or at fast speed", async () => {
    for (const own of [true, false]) {
      const shown = stage(own);
      settings.set({ speed: own ? "normal" : "fast" });
      let over = false;
      void shown.show(position, frame("walk")).then(() => (over = true));
      await vi.advanceTimersByTimeAsync(360);
      expect(over).toBe(true);
      expect(shown.captions.texts).toHaveLength(own ? 0 : 1); // an opponent's caption stays
    }
  });

  it("pauses between two rounds until the player continues", async () => {
    const shown = stage();
    let over = false;
    void shown.show(position, frame("round_end.air", "lose", "round_start")).then(() => (over = true));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(shown.summary).toEqual(["round_end.air is told here.", "lose is told here."]);
    expect(over).toBe(false);
    shown.goOn();
    await vi.advanceTimersByTimeAsync(3_000);
    expect([shown.summary, over]).toEqual([null, true]);
  });

  it("pauses only for the reading time if a clock runs", async () => {
    const shown = stage();
    shown.hurries = () => true;
    let over = false;
    void shown.show(position, frame("round_end.air", "round_start")).then(() => (over = true));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(over).toBe(true);
  });

  // Rounds of two bots with many events, from games of the greedy bot.
  const faces: Record<string, [() => Promise<{ face: Face }>, () => Promise<{ default: Sentences }>]> = {
    "deep-sea": [() => import("../src/games/deep-sea/face"), () => import("../src/generated/sentences/deep-sea.en")],
    "the-island": [() => import("../src/games/the-island/face"), () => import("../src/generated/sentences/the-island.en")],
    atlantis: [() => import("../src/games/atlantis/face"), () => import("../src/generated/sentences/atlantis.en")],
    "mauna-kea": [() => import("../src/games/mauna-kea/face"), () => import("../src/generated/sentences/mauna-kea.en")],
  };

  /** Every frame also rearranges a piece, which takes time at its end. */
  function rearranging(): Layout {
    const spot = { x: Math.random() * 1000, y: 0, size: 20 };
    return { ...layout, pieces: new Map([["piece", spot]]) };
  }
  const ANIMATION = { cancel: () => undefined, finish: () => undefined, finished: Promise.resolve() };
  const BOARD = { ...EMPTY_BOARD, querySelector: () => ({ animate: () => ANIMATION }) };

  it.each(Object.keys(faces))("tells a round of two bots of %s within 15 seconds", async (game) => {
    const [{ face }, { default: sentences }] = await Promise.all([faces[game]![0](), faces[game]![1]()]);
    for (const round of (JSON.parse(rounds) as Record<string, { seat: number; happenings: Happening[] }[][]>)[game]!) {
      const made = new Stage(() => ({ ...face, layout: rearranging }), (() => ({})) as never, ({ key, details }) => say(sentences, key, details), () => false);
      made.board = BOARD as unknown as SVGSVGElement;
      const queue: Frame[] = round.map(({ seat, happenings }, n) => ({ n, position, entries: [{ n, seat, kind: "played", at: 0, happenings }] }));
      const began = performance.now();
      let over = 0;
      const showAll = async () => {
        while (queue.length > 0) {
          const { frame: next, waiting } = nextMovement(queue, (one, other) => made.joins(one, other));
          await made.show(position, next, waiting);
        }
        over = performance.now();
      };
      void showAll();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(over - began).toBeGreaterThan(3_000);
      expect(over - began).toBeLessThanOrEqual(15_000);
    }
  });
});
