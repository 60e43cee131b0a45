import { describe, expect, it } from "vitest";
import { pointsOf, turnGoesOn } from "../src/analysis/finished_game";
import { corrected, slopeAt, sumUp, type Measures, type Summary } from "../src/generated/arithmetic";
import type { Course } from "../src/generated/messages";
import account from "../../tests/analysis/measures.json?raw";

interface Fixture {
  measures: Measures;
  summary: Summary;
  corrections: { power: number; floor: number; stated: number[]; corrected: number[]; slopes: number[] }[];
}
/** Test data shared with `tests/analysis/test_translation.py`. */
const fixture = JSON.parse(account) as Fixture;

/** Compares numbers to 12 decimal places, also in nested objects. */
function expectClose(found: unknown, expected: unknown): void {
  if (typeof expected === "number") expect(found).toBeCloseTo(expected, 12);
  else if (expected !== null && typeof expected === "object") {
    expect(Object.keys(found as object)).toEqual(Object.keys(expected));
    for (const [name, value] of Object.entries(expected)) expectClose((found as Record<string, unknown>)[name], value);
  } else expect(found).toEqual(expected);
}

describe("the summary of a game", () => {
  it("equals the Python summary of the same measures", () => expectClose(sumUp(fixture.measures), fixture.summary));

  it("corrects win chances as Python does", () => {
    for (const { power, floor, stated, corrected: expected, slopes } of fixture.corrections) {
      const correction = { power, floor };
      expectClose(corrected(correction, stated), expected);
      expectClose(stated.map((_, seat) => slopeAt(correction, stated, seat)), slopes);
    }
  });
});

describe("the moves of a game", () => {
  const move = (options: number, ends_step: boolean) => ({ n: 0, seat: 0, action: 0, options, ends_step });
  const course = (result: number[] | null): Course =>
    ({ moves: [move(2, false), move(3, true), move(2, false), move(1, true), move(2, true)], result }) as Course;

  it("are evaluated after each step, and at the end if the game is unfinished", () => {
    expect(pointsOf(course([1, 0]))).toEqual([0, 2, 4]);
    expect(pointsOf(course(null))).toEqual([0, 2, 4, 5]);
  });

  it("show whether a turn continues", () => {
    expect([0, 1, 2, 4].map((at) => turnGoesOn(course(null), at))).toEqual([true, false, false, false]);
  });
});
