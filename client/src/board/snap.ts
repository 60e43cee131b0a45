import type { Choice } from "../messages";
import type { Layout, Spot } from "./face";

export interface Target {
  id: string;
  choice: Choice;
  spot: Spot;
}

/** Every place to tap for a choice. A choice may have several. */
export function targetsOf(choices: readonly Choice[], layout: Layout): Target[] {
  return choices.flatMap((choice) =>
    choice.targets.flatMap((id) => {
      const spot = layout.pieces.get(id) ?? layout.cells.get(id);
      return spot ? [{ id, choice, spot }] : [];
    }),
  );
}

const REACH = 46;

/** The target nearest to a tap, if one is within a finger's reach. */
export function nearest(targets: readonly Target[], x: number, y: number): Target | undefined {
  let best: Target | undefined;
  let least = Infinity;
  for (const target of targets) {
    const away = Math.hypot(target.spot.x - x, target.spot.y - y);
    const reach = Math.max(REACH, target.spot.size / 2 + 12);
    if (away <= reach && away < least) [best, least] = [target, away];
  }
  return best;
}

/** Things in one place may still lie far apart, as in a row of tiles. */
const isNear = (one: Spot, other: Spot): boolean => Math.hypot(one.x - other.x, one.y - other.y) <= 32;

/** What a tap on a target may mean: the target itself, or everything to choose in its cell. A finger
 * is too wide to tell small things apart; a mouse right on one means that one. */
export function meant(
  targets: readonly Target[],
  hit: Target,
  cellOf: (id: string) => string,
  exact: boolean,
): Target[] {
  const cell = cellOf(hit.id);
  const there = targets.filter(
    ({ id, spot }) => id === hit.id || (!exact && cellOf(id) === cell && isNear(spot, hit.spot)),
  );
  return there.filter((target, i) => there.findIndex((other) => other.choice === target.choice) === i);
}

/** The next target in the direction of an arrow key, for moving the focus over the board. */
export function neighbour(targets: readonly Target[], from: Target, key: string): Target | undefined {
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
    // Sideways counts double: straight ahead is what was meant.
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [target, cost];
  }
  return best;
}
