import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PuzzleSolution } from "../src/generated/messages";
import { dailyOf } from "../src/puzzle/daily";
import { explain } from "../src/puzzle/explaining";
import { puzzleName, puzzleNumber } from "../src/puzzle/names";
import { fatesOf, nextOpen, noteFate } from "../src/puzzle/progress";
import { wordsEn } from "../src/puzzle/words.en";
import { wordsFr } from "../src/puzzle/words.fr";
import { readPlace } from "../src/lib/route.svelte";

const DAY = 24 * 60 * 60 * 1000;
const games = [
  { name: "deep-sea", puzzles: 30 },
  { name: "low-tide", puzzles: 0 },
  { name: "atlantis", puzzles: 30 },
];

describe("the puzzle of the day", () => {
  it("alternates between games and covers every puzzle", () => {
    const found = Array.from({ length: 60 }, (_, day) => dailyOf(games, day * DAY)!);
    expect(new Set(found.map(({ game, number }) => `${game} ${number}`)).size).toBe(60);
    expect(found.slice(0, 4).map(({ game }) => game)).toEqual(["deep-sea", "atlantis", "deep-sea", "atlantis"]);
    expect(found.every(({ number }) => number >= 1 && number <= 30)).toBe(true);
  });

  it("changes at midnight UTC", () => {
    const morning = Date.UTC(2026, 4, 5);
    expect(dailyOf(games, morning)).toEqual(dailyOf(games, morning + DAY - 1));
    expect(dailyOf(games, morning)).not.toEqual(dailyOf(games, morning + DAY));
  });

  it("is null if no game has puzzles", () => {
    expect(dailyOf([{ name: "low-tide", puzzles: 0 }], 0)).toBeNull();
  });
});

describe("puzzle names and addresses", () => {
  it("distinguish puzzles from lessons", () => {
    expect(puzzleNumber(puzzleName(12))).toBe(12);
    expect(puzzleNumber("first-dive")).toBeNull();
    expect(puzzleNumber(undefined)).toBeNull();
  });

  it("lead to the puzzles of a game", () => {
    expect(readPlace({ pathname: "/puzzles/deep-sea", search: "", hash: "" })).toEqual({ page: "puzzles", game: "deep-sea" });
    expect(readPlace({ pathname: "/puzzles/", search: "", hash: "" })).toEqual({ page: "puzzles", game: "" });
    expect(readPlace({ pathname: "/puzzles/a/b", search: "", hash: "" })).toEqual({ page: "missing" });
  });
});

describe("puzzle progress", () => {
  beforeEach(() => {
    const storage = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
    });
  });

  it("stores the first outcome", () => {
    noteFate("deep-sea", "puzzle-1", "shown");
    noteFate("deep-sea", "puzzle-1", "solved");
    noteFate("deep-sea", "puzzle-2", "solved");
    expect(fatesOf("deep-sea")).toEqual({ "puzzle-1": "shown", "puzzle-2": "solved" });
    expect(fatesOf("atlantis")).toEqual({});
  });

  it("leads to the next open puzzle, wrapping around, or else to the next puzzle", () => {
    noteFate("deep-sea", "puzzle-2", "solved");
    expect(nextOpen("deep-sea", 1, 3)).toBe(3);
    expect(nextOpen("deep-sea", 3, 3)).toBe(1);
    noteFate("deep-sea", "puzzle-1", "solved");
    noteFate("deep-sea", "puzzle-3", "shown");
    expect(nextOpen("deep-sea", 1, 3)).toBe(2);
  });
});

describe("the explanation", () => {
  const solution = {
    chance: 0.62,
    next_chance: 0.314,
    hope: { name: "home", seat: 0, best: 0.9, next: 0.25 },
    own: { name: "", seat: 0, best: 24.34, next: 18 },
    rival: { name: "", seat: 1, best: 20, next: 26.5 },
    risk: null,
  } as unknown as PuzzleSolution;
  const names = { best: "turn back", next: "dive", lost: "", nameOf: () => "Alba", hopeOf: () => "Home" };

  it("gives the difference in chances and its reasons", () => {
    expect(explain(solution, names, wordsEn, "en")).toEqual([
      "This turn wins 62% of games; the best turn found with a wrong choice (dive) wins 31%.",
      "Home: 90% instead of 25%.",
      "On average you end with 24.3 points instead of 18.",
      "Alba ends with 20 points on average instead of 26.5.",
    ]);
  });

  it("names immediate losses first, in at most four sentences", () => {
    const lost = explain(solution, { ...names, lost: "Lost: R3." }, wordsEn, "en");
    expect(lost[1]).toBe("Otherwise: Lost: R3.");
    expect(lost).toHaveLength(4);
  });

  it("formats numbers for the language", () => {
    expect(explain(solution, names, wordsFr, "fr")[2]).toBe("En moyenne, vous finissez avec 24,3 points au lieu de 18.");
  });
});
