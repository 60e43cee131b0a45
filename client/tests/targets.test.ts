import { expect, it } from "vitest";
import type { Choice } from "../src/generated/messages";
import { nearest, targetsOf, type Target } from "../src/board/targets";
import { neighbour } from "../src/board/keyboard";

const choice = (action: number, ...targets: string[]): Choice => ({ action, text: "", key: "", details: {}, targets, final: false });
const target = (id: string, x: number, y: number): Target => ({ id, choice: choice(1, id), spot: { x, y, size: 30 } });

it("a tap goes to the nearest target within reach", () => {
  const targets = [target("a", 100, 100), target("b", 140, 100)];
  expect(nearest(targets, 112, 110)?.id).toBe("a");
  expect(nearest(targets, 128, 92)?.id).toBe("b");
  expect(nearest(targets, 300, 300)).toBeUndefined();
});

it("arrow keys go to the target straight ahead", () => {
  const [a, b, c] = [target("a", 0, 0), target("b", 50, 5), target("c", 40, 60)];
  expect(neighbour([a!, b!, c!], a!, "ArrowRight")?.id).toBe("b");
  expect(neighbour([a!, b!, c!], a!, "ArrowDown")?.id).toBe("c");
  expect(neighbour([a!, b!, c!], a!, "ArrowUp")).toBeUndefined();
});

it("Page Up and Page Down reach every target in reading order", () => {
  const all = [target("a", 90, 0), target("b", 50, 5.5), target("c", 40, 60.0001), target("d", 41, 60)];
  let at = all[0]!;
  const passed = all.map(() => (at = neighbour(all, at, "PageDown")!).id);
  expect(passed).toEqual(["b", "c", "d", "a"]);
  expect(neighbour(all, all[0]!, "PageUp")?.id).toBe("d");
});

it("a choice can have a piece and a cell as targets", () => {
  const layout = {
    width: 1, height: 1, more: null, field: { window: { left: 0, top: 0, width: 9, height: 9 }, extent: { left: 0, top: 0, width: 9, height: 9 } },
    pieces: new Map([["unit", { x: 1, y: 2, size: 3 }]]),
    cells: new Map([["s1", { x: 4, y: 5, size: 6 }]]),
  };
  expect(targetsOf([choice(7, "unit", "s1", "gone")], layout).map(({ spot }) => spot.x)).toEqual([1, 4]);
});
