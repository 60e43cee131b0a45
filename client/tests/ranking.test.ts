import { describe, expect, it } from "vitest";
import { isPlainlyBetter, TurnTally } from "../src/engine/ranking";

/** A turn that won in some of its worlds, for the first of two seats. */
const tried = (actions: number[], end: string, worlds: number, won: number) => ({
  actions,
  end,
  sums: { worlds, shares: [won, worlds - won], squares: [won, worlds - won], gaps: [0, 0] },
});

describe("turns that were tried", () => {
  it("are summed over searches, and those with the same end are one", () => {
    const tally = new TurnTally();
    tally.add([tried([3, 1, 4, 1], "a", 100, 60), tried([5], "b", 100, 20)]);
    tally.add([tried([4, 1, 3], "a", 300, 150), tried([5], "b", 100, 40)]);
    expect(tally.ranked(0).map(({ actions, chance }) => [actions, chance])).toEqual([
      [[4, 1, 3], 210 / 400],
      [[5], 0.3],
    ]);
    expect(tally.ranked(1).map(({ chance }) => chance)).toEqual([0.7, 190 / 400]);
  });

  it("rank a lucky turn in few worlds below a well tested one", () => {
    const tally = new TurnTally();
    tally.add([tried([1], "a", 8, 6), tried([2], "b", 500, 360)]);
    expect(tally.ranked(0)[0]!.actions).toEqual([2]);
  });

  it("differ plainly only if the difference is significant and not tiny", () => {
    const known = (chance: number, error: number) => ({ actions: [], chance, error });
    expect(isPlainlyBetter(known(0.6, 0.01), known(0.5, 0.01))).toBe(true);
    expect(isPlainlyBetter(known(0.6, 0.04), known(0.5, 0.04))).toBe(false);
    expect(isPlainlyBetter(known(0.52, 0), known(0.5, 0))).toBe(false);
    expect(isPlainlyBetter(known(0.5, 0.01), known(0.6, 0.01))).toBe(false);
  });
});
