import { describe, expect, it } from "vitest";
import { pointsOf, turnGoesOn } from "../src/analysis/finished_game";
import { corrected, slopeAt, sumUp, type Measures, type Summary } from "../src/generated/arithmetic";
import type { Course } from "../src/generated/messages";
import account from "../../tests/analysis/measures.json?raw";

interface Kept {
  measures: Measures;
  summary: Summary;
  corrections: { power: number; floor: number; stated: number[]; corrected: number[]; slopes: number[] }[];
}
/** What `tests/analysis/test_translation.py` reads, too. */
const kept = JSON.parse(account) as Kept;

/** Equal up to the last digits, wherever there is a number. */
function close(found: unknown, expected: unknown): void {
  if (typeof expected === "number") expect(found).toBeCloseTo(expected, 12);
  else if (expected !== null && typeof expected === "object") {
    expect(Object.keys(found as object)).toEqual(Object.keys(expected));
    for (const [name, value] of Object.entries(expected)) close((found as Record<string, unknown>)[name], value);
  } else expect(found).toEqual(expected);
}

describe("the account of a game", () => {
  it("is the one that Python makes of the same measures", () => close(sumUp(kept.measures), kept.summary));

  it("corrects chances as Python does", () => {
    for (const { power, floor, stated, corrected: expected, slopes } of kept.corrections) {
      const correction = { power, floor };
      close(corrected(correction, stated), expected);
      close(stated.map((_, seat) => slopeAt(correction, stated, seat)), slopes);
    }
  });
});

describe("the course of a game", () => {
  const move = (options: number, ends_step: boolean) => ({ n: 0, seat: 0, action: 0, options, ends_step });
  const course = (result: number[] | null): Course =>
    ({ moves: [move(2, false), move(3, true), move(2, false), move(1, true), move(2, true)], result }) as Course;

  it("has a point where a step ends, and at the end where that is open", () => {
    expect(pointsOf(course([1, 0]))).toEqual([0, 2, 4]);
    expect(pointsOf(course(null))).toEqual([0, 2, 4, 5]);
  });

  it("knows when a turn goes on", () => {
    expect([0, 1, 2, 4].map((at) => turnGoesOn(course(null), at))).toEqual([true, false, false, false]);
  });
});
