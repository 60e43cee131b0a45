import { describe, expect, it } from "vitest";
import { around, closer, inside, kept, needed, seen, seenBox, showing, shows, tightest, WHOLE, type Field } from "../src/board/lens";

const FIELD: Field = { window: { left: 0, top: 10, width: 300, height: 200 }, extent: { left: 50, top: 10, width: 200, height: 200 } };

it("touch targets are larger on larger screens", () => {
  expect([needed(320, 568), needed(375, 667), needed(683, 384)]).toEqual([24, 24, 24]);
  expect([needed(390, 664), needed(844, 390), needed(1366, 768)]).toEqual([44, 44, 44]);
});

describe("a lens", () => {
  it("never zooms out beyond the board or scrolls past an edge", () => {
    expect(kept({ scale: 0.4, x: 30, y: 9 }, FIELD)).toEqual(WHOLE);
    for (const x of [-9000, 0, 9000]) {
      const { left, top, width, height } = seenBox(kept({ scale: 3, x, y: -x }, FIELD), FIELD.extent);
      expect(left).toBeLessThanOrEqual(0);
      expect(left + width).toBeGreaterThanOrEqual(300);
      expect(top).toBeLessThanOrEqual(10);
      expect(top + height).toBeGreaterThanOrEqual(210);
    }
  });

  it("centres a board that is narrower than the window", () => {
    const box = seenBox(around({ x: 60, y: 100 }, 1.2, FIELD), FIELD.extent);
    expect(box.left + box.width / 2).toBeCloseTo(150);
  });

  it("zooms in around a finger", () => {
    const lens = closer({ scale: 2, x: -150, y: -110 }, 1.5, { x: 140, y: 120 }, FIELD);
    const under = { x: (140 + 150) / 2, y: (120 + 110) / 2 };
    expect(lens.scale).toBe(3);
    expect(seen(lens, under).x).toBeCloseTo(140);
    expect(seen(lens, under).y).toBeCloseTo(120);
  });

  it("shows all given points, far enough apart to touch", () => {
    const points = [{ x: 100, y: 80 }, { x: 120, y: 80 }, { x: 110, y: 100 }];
    expect(shows(WHOLE, points, 44, FIELD)).toBe(false);
    const lens = showing(points, 44, FIELD);
    expect(tightest(points.map((point) => seen(lens, point)))).toBeCloseTo(44);
    expect(points.every((point) => inside(FIELD.window, seen(lens, point)))).toBe(true);
    expect(shows(lens, points, 44, FIELD)).toBe(true);
  });

  it("shows the whole board if the points do not fit or need no zoom", () => {
    const spread = [{ x: 60, y: 20 }, { x: 70, y: 20 }, { x: 240, y: 200 }];
    expect(showing(spread, 44, FIELD)).toEqual(WHOLE);
    expect(showing([{ x: 60, y: 20 }, { x: 240, y: 200 }], 44, FIELD)).toEqual(WHOLE);
    expect(showing([], 44, FIELD)).toEqual(WHOLE);
  });
});
