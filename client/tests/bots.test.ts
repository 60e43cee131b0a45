import { describe, expect, it } from "vitest";
import { newestBots, suggestedOptions, usualBot } from "../src/lib/bots";
import type { GameDescription } from "../src/generated/messages";

describe("the bots on offer", () => {
  it("are the newest version of each kind, in the given order", () => {
    expect(newestBots(["random", "greedy-1", "greedy-10", "greedy-9", "bold-1"])).toEqual(["random", "greedy-10", "bold-1"]);
    expect(newestBots([])).toEqual([]);
  });

  it("are the levels and the host's own bots if the game has levels", () => {
    const bots = ["random", "greedy-1", "first-game-1", "regular-1", "regular-2", "mine"];
    expect(newestBots(bots)).toEqual(["first-game-1", "regular-2", "mine"]);
    expect(usualBot(bots)).toBe("regular-2");
  });

  it("default to the greedy bot if the game has no levels", () => {
    expect(usualBot(["random", "greedy-1", "greedy-2", "bold-1"])).toBe("greedy-2");
    expect(usualBot(["random", "bold-1"])).toBe("bold-1");
    expect(usualBot([])).toBeNull();
  });
});

describe("the suggested options", () => {
  const game = (...names: string[]) => ({ options: names.map((name) => ({ name })) }) as unknown as GameDescription;

  it("spare a first game the lava, and one device the hand-overs", () => {
    expect(suggestedOptions(game("quiet_first_round"), ["first-game-1"], false)).toEqual({ quiet_first_round: true });
    expect(suggestedOptions(game("quiet_first_round"), ["casual-1"], true)).toEqual({});
    expect(suggestedOptions(game("auto_setup"), ["first-game-2", ""], true)).toEqual({ auto_setup: true });
    expect(suggestedOptions(game("auto_setup"), [], false)).toEqual({});
  });
});
