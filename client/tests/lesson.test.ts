import { describe, expect, it } from "vitest";
import { idsOf, withNames } from "../src/lesson/names";
import type { Scene, Seat } from "../src/generated/messages";

const scene = {
  cells: [{ id: "s4" }, { id: "cove-n2" }, { id: "nw" }],
  pieces: [{ id: "diver-1" }, { id: "unit-a1" }, { id: "explorer-1-2" }, { id: "w3" }],
} as unknown as Scene;

describe("what a lesson speaks of", () => {
  it("is found by the names of notation, and by the ids of the scene", () => {
    expect(idsOf(["diver1", "a1", "n2", "w3", "nw", "explorer-1-2"], scene)).toEqual(["diver-1", "unit-a1", "cove-n2", "w3", "nw", "explorer-1-2"]);
  });

  it("is left out where it is not there any more", () => {
    expect(idsOf(["boat1", "s4"], scene)).toEqual(["s4"]);
  });

  it("has the names of those who sit there", () => {
    const seats = [{ name: "Zoé" }, { name: "Alba" }] as Seat[];
    expect(withNames("{2} waits for {1}.", seats)).toBe("Alba waits for Zoé.");
  });
});
