import { expect, test } from "vitest";
import { applied } from "../src/lib/differences";
import type { Piece, Position } from "../src/generated/messages";

const piece = (id: string, cell = "here"): Piece => ({ id, kind: "piece", cell, seat: null, properties: {} });
const known: Position = {
  n: 4,
  seat: 1,
  to_move: 0,
  question: null,
  scene: {
    cells: [{ id: "here", kind: "sea", properties: {} }],
    pieces: ["a", "b", "c", "d"].map((id) => piece(id)),
    gauges: { air: 25, not_now: ["a"] },
    choices: [],
    paths: [],
  },
  result: null,
  may_take_back: false,
  take_back_asked_by: null,
};

test("an empty difference keeps the scene object", () => {
  const next = applied(known, 5, {});
  expect(next).toEqual({ ...known, n: 5 });
  expect(next.scene).toBe(known.scene);
});

test("pieces are removed, inserted and moved at their index", () => {
  const { scene } = applied(known, 5, {
    to_move: 1,
    scene: { pieces: { gone: ["a"], put: [[0, piece("x")], [3, piece("b", "there")]] } },
  });
  expect(scene.pieces.map(({ id, cell }) => `${id} ${cell}`)).toEqual(["x here", "c here", "d here", "b there"]);
  expect(scene.pieces[1]).toBe(known.scene.pieces[2]);
  expect(scene.cells).toBe(known.scene.cells);
  expect(known.scene.pieces).toHaveLength(4);
});

test("gauges are changed and removed; choices are replaced", () => {
  const choice = { action: 3, text: "dive", key: "action.dive", details: {}, targets: [], final: true };
  const next = applied(known, 5, { scene: { gauges: { air: 24 }, gauges_gone: ["not_now"], choices: [choice] } });
  expect(next.scene.gauges).toEqual({ air: 24 });
  expect(next.scene.choices).toEqual([choice]);
  expect(known.scene.gauges).toEqual({ air: 25, not_now: ["a"] });
});
