import { describe, expect, it } from "vitest";
import { corrected, pointsOf, slopeAt, sumUp, turnsOf, type Measures, type Summary } from "../src/generated/arithmetic";
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
  const move = (seat: number, options: number, ends_step: boolean, outcome: boolean) => ({ seat, options, ends_step, outcome });
  const moves = [move(0, 3, false, false), move(0, 2, true, true), move(1, 1, true, true), move(0, 2, true, false), move(1, 1, false, false)];

  it("have points that separate decisions from outcomes", () => {
    const found = pointsOf(moves).map(({ after, chosen, by_chance }) => [after, chosen, by_chance]);
    expect(found).toEqual([[0, false, false], [1, true, false], [2, false, true], [3, false, true], [4, false, false], [5, false, false]]);
  });

  it("are divided into turns", () => {
    expect(turnsOf(moves)).toEqual([{ first: 0, until: 2, seat: 0 }, { first: 3, until: 4, seat: 0 }]);
  });
});
