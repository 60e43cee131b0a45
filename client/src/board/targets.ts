import type { Choice, Path } from "../generated/messages";
import type { Layout, Spot } from "./face";
import { inside, type Point } from "./lens";

/** Whether a choice is a way of several actions. */
export const isPath = (choice: Choice): choice is Path => "then" in choice;

export interface Target {
  id: string;
  choice: Choice;
  spot: Spot;
}

/** One target: all choices of a space, or one choice beside the field. */
export interface Place extends Point {
  targets: Target[];
  inField: boolean;
}

/** Every place of a choice. A choice may have several. */
export function targetsOf(choices: readonly Choice[], layout: Layout): Target[] {
  return choices.flatMap((choice) =>
    choice.targets.flatMap((id) => {
      const spot = layout.pieces.get(id) ?? layout.cells.get(id);
      return spot ? [{ id, choice, spot }] : [];
    }),
  );
}

/** Returns the targets. The pieces of a space are close together, so a tap selects the space first.
 * `whole` is the layout without a lens. */
export function placesOf(targets: readonly Target[], whole: Layout, cellOf: (id: string) => string): Place[] {
  const places = new Map<string, Place>();
  for (const target of targets) {
    const at = whole.pieces.get(target.id) ?? whole.cells.get(target.id);
    const inField = at !== undefined && inside(whole.field.window, at);
    const key = inField ? cellOf(target.id) : target.id;
    const place = places.get(key) ?? { x: 0, y: 0, targets: [], inField };
    places.set(key, { ...place, targets: [...place.targets, target] });
  }
  return [...places.values()].map((place) => {
    const spots = [...new Map(place.targets.map(({ id, spot }) => [id, spot])).values()];
    const mean = (axis: "x" | "y") => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length;
    return { ...place, x: mean("x"), y: mean("y") };
  });
}

const REACH = 46;
const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** Returns the target nearest to a tap, if one is within reach of a finger. */
export function nearest(targets: readonly Target[], x: number, y: number): Target | undefined {
  let best: Target | undefined;
  let least = Infinity;
  for (const target of targets) {
    const away = distance(target.spot, { x, y });
    const reach = Math.max(REACH, target.spot.size / 2 + 12);
    if (away <= reach && away < least) [best, least] = [target, away];
  }
  return best;
}

/** Returns the place nearest to a tap, if it is within reach of a finger. */
export function nearestPlace(places: readonly Place[], x: number, y: number): Place | undefined {
  const near = places.filter(({ targets }) => nearest(targets, x, y));
  return near.toSorted((one, other) => distance(one, { x, y }) - distance(other, { x, y }))[0];
}

/** Returns the choices that a tap may mean: those too close together for a finger. A mouse
 * right on a thing means that one. Beside the field, also things of places next to it. */
export function meant(places: readonly Place[], hit: Place, at: Point, exact: boolean, need: number): Target[] {
  const first = hit.targets.toSorted((one, other) => distance(one.spot, at) - distance(other.spot, at))[0]!;
  const around = hit.inField ? [hit] : places.filter((place) => !place.inField && (place === hit || distance(place, hit) < need - 0.5));
  const there = around
    .flatMap(({ targets }) => targets)
    .filter(({ id, spot }) => id === first.id || (!exact && distance(spot, first.spot) < need - 0.5));
  return there.filter((target, i) => there.findIndex((other) => other.choice === target.choice) === i);
}

/** Whether a mouse is exactly on a choice of a place. */
export const isOn = ({ targets }: Place, at: Point): boolean =>
  targets.some(({ spot }) => distance(spot, at) <= Math.max(spot.size / 2, 7));
