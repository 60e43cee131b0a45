import type { Layout, Spot, View } from "../../board/face";
import { seen, WHOLE, type Lens } from "../../board/lens";

/** The number of columns that maximizes the size of the cells. */
function columnsFor(count: number, width: number, height: number): number {
  let best = 1;
  for (let columns = 2; columns <= count; columns++)
    if (sideFor(count, columns, width, height) > sideFor(count, best, width, height)) best = columns;
  return best;
}

const sideFor = (count: number, columns: number, width: number, height: number): number =>
  Math.min(width / columns, height / Math.ceil(count / columns));

/** The cells of a scene in rows, and the pieces of each cell in rows inside it. */
export function plainLayout({ scene }: View, width: number, height: number, lens: Lens = WHOLE): Layout<number> {
  const all = { left: 0, top: 0, width, height };
  const columns = columnsFor(scene.cells.length, width, height);
  const unseen = sideFor(scene.cells.length, columns, width, height);
  const side = unseen * lens.scale;
  const rows = Math.ceil(scene.cells.length / columns);
  const left = (width - unseen * columns) / 2 + unseen / 2;
  const top = (height - unseen * rows) / 2 + unseen / 2;
  const edge = side * 0.46;
  const outline = `M${-edge} ${-edge}H${edge}V${edge}H${-edge}Z`;
  const cells = new Map<string, Spot>();
  const pieces = new Map<string, Spot>();
  scene.cells.forEach(({ id }, index) => {
    const middle = { x: left + (index % columns) * unseen, y: top + Math.floor(index / columns) * unseen };
    const spot = { ...seen(lens, middle), size: side * 0.92, outline };
    cells.set(id, spot);
    const there = scene.pieces.filter((piece) => piece.cell === id);
    // The upper part of a cell is for its name.
    const room = { width: side * 0.84, height: side * 0.62 };
    const across = columnsFor(there.length, room.width, room.height);
    const size = Math.min(sideFor(there.length, across, room.width, room.height), side * 0.5);
    there.forEach((piece, place) => {
      const last = Math.min(across, there.length);
      pieces.set(piece.id, {
        x: spot.x + ((place % across) - (last - 1) / 2) * size,
        y: spot.y + side * 0.1 + (Math.floor(place / across) - (Math.ceil(there.length / across) - 1) / 2) * size,
        size: size * 0.88,
      });
    });
  });
  return { width, height, field: { window: all, extent: all }, cells, pieces, more: side };
}
