import { describe, expect, it } from "vitest";
import { AWAY_FOR, freeAfter } from "../src/lib/presence";

describe("the absence after which the host may free a seat", () => {
  it("is two minutes, and by days the time of a decision", () => {
    expect(freeAfter({ clock: { kind: "none" } })).toBe(AWAY_FOR);
    expect(freeAfter({ clock: { kind: "live", seconds: 900 } })).toBe(AWAY_FOR);
    expect(freeAfter({ clock: { kind: "days", seconds: 86_400 } })).toBe(86_400);
    expect(freeAfter({ clock: { kind: "days", seconds: 60 } })).toBe(AWAY_FOR);
  });
});
