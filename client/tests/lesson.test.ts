import { describe, expect, it } from "vitest";
import { idsOf, withNames } from "../src/lesson/names";
import type { Scene, Seat } from "../src/generated/messages";

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
