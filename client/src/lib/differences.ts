import type { Position, PositionChange } from "../generated/messages";

function changed<Item extends { id: string }>(
  items: Item[],
  change?: { gone: string[]; put: [number, Item][] },
): Item[] {
  if (!change) return items;
  const out = new Set([...change.gone, ...change.put.map(([, { id }]) => id)]);
  const next = items.filter(({ id }) => !out.has(id));
  for (const [at, item] of change.put) next.splice(at, 0, item);
  return next;
}

/** Applies the differences to a position; returns the position after event `n`. */
export function applied({ scene: before, ...known }: Position, n: number, change: PositionChange): Position {
  const { scene: of, ...rest } = change;
  if (!of) return { ...known, ...rest, n, scene: before };
  const gauges = { ...before.gauges, ...of.gauges };
  for (const name of of.gauges_gone ?? []) delete gauges[name];
  const scene = {
    cells: changed(before.cells, of.cells),
    pieces: changed(before.pieces, of.pieces),
    gauges,
    choices: of.choices ?? before.choices,
    paths: of.paths ?? before.paths,
  };
  return { ...known, ...rest, n, scene };
}
