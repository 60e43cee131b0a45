import { describe, expect, it } from "vitest";
import type { View } from "../src/board/face";
import { seaLayout } from "../src/games/deep-sea/geometry";
import type { Piece, Seat } from "../src/generated/messages";

const SCREENS: [number, number][] = [
  [320, 420], [390, 540], [390, 300], [820, 500], [1040, 720], [1800, 900], [600, 1200],
];

const seat = (): Seat => ({
  kind: "person", name: "Ana", colour: "white", bot: null, here: true, bot_plays: false,
  resigned: false, absent_for: 0, clock_ms: null, clock_runs: false,
});

function view(spaces: number, seats: number): View {
  const chip = (space: number): Piece => ({
    id: `unit-${space}`, kind: "chip", cell: `s${space}`, seat: null, properties: {},
  });
  const diver = (number: number): Piece => ({
    id: `diver-${number}`, kind: "diver", cell: "sub", seat: number - 1, properties: {},
  });
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  return {
    scene: {
      cells: [
        { id: "sub", kind: "submarine", properties: {} },
        ...numbers(spaces).map((space) => ({ id: `s${space}`, kind: "space", properties: {} })),
      ],
      pieces: [...numbers(spaces).map(chip), ...numbers(seats).map(diver)],
      gauges: {},
      choices: [],
      paths: [],
    },
    gauges: {}, seats: Array.from({ length: seats }, seat), me: 0, toMove: 0, sentences: {},
  };
}

describe.each(SCREENS)("on a screen of %i by %i", (width, height) => {
  it.each([1, 8, 16, 32, 43])("%i spaces fit, and no two chips overlap", (spaces) => {
    const layout = seaLayout(view(spaces, 6), width, height);
    const spots = Array.from({ length: spaces }, (_, space) => layout.cells.get(`s${space + 1}`)!);
    for (const [index, spot] of spots.entries()) {
      expect(spot.x - spot.size / 2).toBeGreaterThanOrEqual(0);
      expect(spot.x + spot.size / 2).toBeLessThanOrEqual(width);
      expect(spot.y + spot.size / 2).toBeLessThanOrEqual(layout.more.trayTop + 1);
      for (const other of spots.slice(index + 1))
        expect(Math.hypot(spot.x - other.x, spot.y - other.y)).toBeGreaterThan(spot.size * 0.9);
    }
  });

  it("every piece has a separate spot", () => {
    const layout = seaLayout(view(32, 6), width, height);
    expect(layout.pieces.size).toBe(38);
    const divers = [1, 2, 3, 4, 5, 6].map((diver) => layout.pieces.get(`diver-${diver}`)!.x);
    expect(new Set(divers).size).toBe(6);
  });
});

it("chips on a phone are large enough to tap", () => {
  expect(seaLayout(view(32, 4), 390, 500).more.chip).toBeGreaterThan(38);
});
