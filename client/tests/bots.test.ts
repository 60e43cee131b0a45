import { describe, expect, it } from "vitest";
import { newestBots, usualBot } from "../src/lib/bots";

describe("bots to choose from", () => {
  it("are the newest of each kind, in their order", () => {
    expect(newestBots(["random", "greedy-1", "greedy-10", "greedy-9", "bold-1"])).toEqual(["random", "greedy-10", "bold-1"]);
    expect(newestBots([])).toEqual([]);
  });

  it("are led by the greedy one", () => {
    expect(usualBot(["random", "greedy-1", "greedy-2", "bold-1"])).toBe("greedy-2");
    expect(usualBot(["random", "bold-1"])).toBe("bold-1");
    expect(usualBot([])).toBeNull();
  });
});
