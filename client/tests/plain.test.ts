import { describe, expect, it } from "vitest";
import type { View } from "../src/board/face";
import { face } from "../src/games/plain/face";
import type { Cell, Piece } from "../src/generated/messages";

const SCREENS: [number, number][] = [[320, 420], [390, 300], [1072, 727], [600, 1200]];

function view(count: number, inFirst: number): View {
  const cells: Cell[] = Array.from({ length: count }, (_, index) => ({ id: `spot${index + 1}`, kind: "spot", properties: {} }));
  const pieces: Piece[] = Array.from({ length: inFirst }, (_, index) => ({
    id: `shell${index + 1}`, kind: "shell", cell: "spot1", seat: null, properties: { worth: index === 0 ? 7 : null, secret: true },
  }));
  return {
    scene: { cells, pieces, gauges: {}, choices: [], paths: [] },
    gauges: {}, seats: [], me: 0, toMove: 0,
    sentences: { "cell.spot": "spot {number}" },
  };
}

describe("the generic board of a game without its own", () => {
  it.each(SCREENS)("keeps cells apart and on the screen (%i by %i)", (width, height) => {
    for (const count of [1, 2, 7, 12, 81]) {
      const { cells } = face.layout(view(count, 0), width, height);
      const spots = [...cells.values()];
      expect(spots).toHaveLength(count);
      for (const spot of spots) {
        expect(spot.x - spot.size / 2).toBeGreaterThanOrEqual(0);
        expect(spot.x + spot.size / 2).toBeLessThanOrEqual(width);
        expect(spot.y - spot.size / 2).toBeGreaterThanOrEqual(0);
        expect(spot.y + spot.size / 2).toBeLessThanOrEqual(height);
        for (const other of spots)
          if (other !== spot) expect(Math.max(Math.abs(other.x - spot.x), Math.abs(other.y - spot.y))).toBeGreaterThanOrEqual(spot.size);
      }
    }
  });

  it("keeps the pieces of a cell within it and apart", () => {
    for (const count of [1, 2, 5, 9]) {
      const { cells, pieces } = face.layout(view(12, count), 390, 540);
      const cell = cells.get("spot1")!;
      const spots = [...pieces.values()];
      for (const spot of spots) {
        expect(Math.abs(spot.x - cell.x) + spot.size / 2).toBeLessThanOrEqual(cell.size / 2);
        expect(Math.abs(spot.y - cell.y) + spot.size / 2).toBeLessThanOrEqual(cell.size / 2);
        for (const other of spots)
          if (other !== spot) expect(Math.hypot(other.x - spot.x, other.y - spot.y)).toBeGreaterThanOrEqual(spot.size);
      }
    }
  });

  it("is described cell by cell, with visible values only", async () => {
    expect(await face.textBoard(view(2, 2))).toEqual([
      { label: "Spot 1", text: "shell1: 7; shell2" },
      { label: "Spot 2", text: "–" },
    ]);
  });
});
