/** Keyboard navigation on the board, and hints at targets outside the window. */
import type { Box, Point } from "./lens";
import type { Place, Target } from "./targets";

/** The edges of the window beyond which there are more targets, and their directions. */
export function beyond(places: readonly Place[], { left, top, width, height }: Box): (Point & { angle: number })[] {
  const [x, y, right, bottom] = [left + width / 2, top + height / 2, left + width, top + height];
  const edges = [
    { x: left + 10, y, angle: 180, hides: (place: Point) => place.x < left },
    { x: right - 10, y, angle: 0, hides: (place: Point) => place.x > right },
    { x, y: top + 10, angle: -90, hides: (place: Point) => place.y < top },
    { x, y: bottom - 10, angle: 90, hides: (place: Point) => place.y > bottom },
  ];
  return edges.filter(({ hides }) => places.some((place) => place.inField && hides(place)));
}

/** Returns the next target in the direction of an arrow key; with the
 * keys for pages and ends, in the order of reading. */
export function neighbour(targets: readonly Target[], from: Target, key: string): Target | undefined {
  // Targets with nearly equal heights are in one row.
  const rows = targets.toSorted((one, other) => Math.round((one.spot.y - other.spot.y) / 4) || one.spot.x - other.spot.x);
  const index = rows.indexOf(from);
  const turn: Record<string, number> = { PageDown: index + 1, PageUp: index - 1, Home: 0, End: rows.length - 1 };
  if (key in turn) return rows[(turn[key]! + rows.length) % rows.length];
  const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key] ?? [
    0, 0,
  ];
  let best: Target | undefined;
  let least = Infinity;
  for (const target of targets) {
    const x = target.spot.x - from.spot.x;
    const y = target.spot.y - from.spot.y;
    const ahead = x * dx! + y * dy!;
    const aside = Math.abs(x * dy! + y * dx!);
    if (target === from || ahead <= 1 || ahead < aside / 2) continue;
    // Sideways distance counts double, to prefer targets straight ahead.
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [target, cost];
  }
  return best;
}
