import { describe, expect, it } from "vitest";
import { isPlainlyBetter, Tally } from "../src/engine/candidates";

const tried = (action: number, visits: number, won: number, squares = won) => ({ action, visits, won, worth: won, squares });

describe("search results", () => {
  it("are summed over searches", () => {
    const tally = new Tally();
    tally.add([tried(3, 10, 6), tried(5, 4, 1)]);
    tally.add([tried(5, 6, 2), tried(3, 30, 15), tried(8, 0, 0)]);
    expect(tally.candidates.map(({ action, visits, chance }) => [action, visits, chance])).toEqual([
      [3, 40, 21 / 40],
      [5, 10, 0.3],
    ]);
  });

  it("have a standard error", () => {
    const tally = new Tally();
    tally.add([tried(1, 100, 50), tried(2, 400, 200, 100)]);
    const [sure, unsure] = tally.candidates;
    expect([sure!.action, sure!.error]).toEqual([2, 0]); // all simulations had equal results
    expect(unsure!.error).toBeCloseTo(0.05, 10);
  });

  it("rank a lucky action with few visits below a well tested one", () => {
    const tally = new Tally();
    tally.add([tried(1, 1, 1), tried(2, 500, 300)]);
    expect(tally.candidates[0]!.action).toBe(2);
  });

  it("differ plainly only if the difference is significant and not tiny", () => {
    const known = (chance: number, error: number) => ({ action: 0, visits: 1, chance, error });
    expect(isPlainlyBetter(known(0.6, 0.01), known(0.5, 0.01))).toBe(true);
    expect(isPlainlyBetter(known(0.6, 0.04), known(0.5, 0.04))).toBe(false);
    expect(isPlainlyBetter(known(0.52, 0), known(0.5, 0))).toBe(false);
    expect(isPlainlyBetter(known(0.5, 0.01), known(0.6, 0.01))).toBe(false);
  });
});
