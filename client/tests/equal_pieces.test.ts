import { expect, it } from "vitest";
import type { Face } from "../src/board/face";
import { face as deepSea } from "../src/games/deep-sea/face";
import { face as island } from "../src/games/the-island/face";
import type { Piece } from "../src/generated/messages";
import { isRemembered, lookOf } from "../src/table/equal_pieces";

const explorer = (id: string, cell: string, properties: Piece["properties"]): Piece => ({ id, kind: "explorer", cell, seat: 0, properties });
const chip = (name: string, level: number, value: number | null): Piece => ({
  id: `unit-${name}`, kind: "chip", cell: "hand1", seat: null, properties: { chips: [name], levels: [level], values: [value] },
});
const equal = (face: Face, one: Piece, other: Piece) => lookOf(one, face) === lookOf(other, face);

it("explorers are interchangeable on one space with one value and one state", () => {
  const [one, other] = [explorer("w1", "d4", { value: 3, swam: false }), explorer("w2", "d4", { value: 3, swam: false })];
  expect(equal(island, one, other)).toBe(true);
  expect(equal(island, one, { ...other, cell: "d5" })).toBe(false);
  expect(equal(island, one, { ...other, properties: { value: 4, swam: false } })).toBe(false);
  expect(equal(island, one, { ...other, properties: { value: 3, swam: true } })).toBe(false);
});

it("a value that is not shown may be remembered", () => {
  expect(isRemembered(explorer("w1", "d4", { value: null }))).toBe(true);
  expect(isRemembered(explorer("w1", "d4", { value: 2 }))).toBe(false);
  expect(isRemembered(explorer("w1", "d4", {}))).toBe(false);
});

it("chips are interchangeable by level and value, whatever their names", () => {
  expect(equal(deepSea, chip("a1", 1, null), chip("a5", 1, null))).toBe(true);
  expect(equal(deepSea, chip("a1", 1, null), chip("b1", 2, null))).toBe(false);
  expect(equal(deepSea, chip("a1", 1, 2), chip("a5", 1, 3))).toBe(false);
});
