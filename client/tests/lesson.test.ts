import { describe, expect, it } from "vitest";
import { idsOf, withNames } from "../src/lesson/names";
import { isTimely } from "../src/lesson/tips";
import type { Occasion, Remark, Scene, Seat } from "../src/generated/messages";

const scene = {
  cells: [{ id: "s4" }, { id: "cove-n2" }, { id: "nw" }],
  pieces: [{ id: "diver-1" }, { id: "unit-a1" }, { id: "explorer-1-2" }, { id: "w3" }],
} as unknown as Scene;

describe("references in a lesson", () => {
  it("are resolved by notation name or by scene id", () => {
    expect(idsOf(["diver1", "a1", "n2", "w3", "nw", "explorer-1-2"], scene)).toEqual(["diver-1", "unit-a1", "cove-n2", "w3", "nw", "explorer-1-2"]);
  });

  it("are left out if they are not in the scene", () => {
    expect(idsOf(["boat1", "s4"], scene)).toEqual(["s4"]);
  });

  it("are replaced by the names of the seats", () => {
    const seats = [{ name: "Zoé" }, { name: "Alba" }] as Seat[];
    expect(withNames("{2} waits for {1}.", seats)).toBe("Alba waits for Zoé.");
  });
});

describe("a tip", () => {
  const occasion = (key: string, name = "", value = ""): Occasion => ({ key, name, value });
  const happenings = (...keys: string[]) => keys.map((key) => ({ key, details: { level: 4 } }));
  const tip: Remark = { occasions: [occasion("breath.last")], until: [occasion("round_end.air")], text: "The air has run out." };

  it("is given when one of its events has just happened", () => {
    expect(isTimely(tip, happenings("breath.last", "throw.free"))).toBe(true);
    expect(isTimely(tip, happenings("throw.free"))).toBe(false);
    const deep = { ...tip, occasions: [occasion("take.chip", "level", "4")] };
    expect(isTimely(deep, happenings("take.chip"))).toBe(true);
    expect(isTimely({ ...tip, occasions: [occasion("take.chip", "level", "1")] }, happenings("take.chip"))).toBe(false);
  });

  it("is not given when a later event has made it untrue", () => {
    expect(isTimely(tip, happenings("breath.last", "throw.free", "round_end.air", "round_start"))).toBe(false);
    expect(isTimely(tip, happenings("round_end.air", "round_start", "breath.last"))).toBe(true);
  });
});
