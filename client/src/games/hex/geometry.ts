import type { Layout, Spot, View } from "../../board/face";
import type { Cell, Piece } from "../../messages";

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A space of the board. */
export interface Hex {
  id: string;
  x: number;
  y: number;
}

/** An island in a corner of the sea: which corner, and the spaces it is reached from. */
export interface Shore {
  id: string;
  x: number;
  y: number;
  /** -1 at the left and above, 1 at the right and below. */
  right: number;
  down: number;
  exits: Hex[];
}

export interface Chart {
  /** The width of a hexagon. */
  size: number;
  board: Box;
  hexes: Hex[];
  shores: Shore[];
  status: Box;
  seats: Box[];
  /** The cards or tiles of whoever looks on; nothing where a game has none. */
  hand: Box;
  /** Whether all that stands beside the board rather than below it. */
  beside: boolean;
}

export interface Plan {
  /** Whether players have something in hand. */
  hands: boolean;
  /** Which pieces have a place of their own on a space: people, creatures. */
  isPerson: (piece: Piece) => boolean;
}

const ROW = Math.sqrt(3) / 2;
const TALL = 2 / Math.sqrt(3);

/** A hexagon with a corner on top, of this width, around (0, 0). */
export function hexagon(width: number, grow = 0): string {
  const half = width / 2 + grow;
  const tall = half * TALL;
  const f = (n: number) => n.toFixed(2);
  return `M0 ${f(-tall)}L${f(half)} ${f(-tall / 2)}V${f(tall / 2)}L0 ${f(tall)}L${f(-half)} ${f(tall / 2)}V${f(-tall / 2)}Z`;
}

const at = (cell: Cell): [number, number] => cell.properties["at"] as [number, number];

/** The chart for a screen of any shape; what stands with it goes where more room is left. */
export function hexLayout(view: View, width: number, height: number, plan: Plan): Layout<Chart> {
  const spaces = view.scene.cells.filter((cell) => cell.properties["at"] !== undefined);
  const columns = Math.max(...spaces.map((cell) => at(cell)[0])) / 2 + 1;
  const rows = Math.max(...spaces.map((cell) => at(cell)[1]));
  const tall = rows * ROW + TALL;
  const beside = width > 620 && width / height > 1.12;
  const below = plan.hands ? 150 : 104;
  const panel = beside ? Math.min(280, width * 0.3) : 0;
  const size = Math.min((width - panel - 6) / columns, (height - (beside ? 8 : below + 6)) / tall);
  const board = {
    left: (width - panel - size * columns) / 2,
    top: beside ? (height - size * tall) / 2 : Math.max(3, (height - below - size * tall) / 2),
    width: size * columns,
    height: size * tall,
  };
  const hexes = spaces.map((cell) => {
    const [half, row] = at(cell);
    return {
      id: cell.id,
      x: board.left + (half / 2 + 0.5) * size,
      y: board.top + (row * ROW + TALL / 2) * size,
    };
  });
  const where = new Map(hexes.map((hex) => [hex.id, hex]));
  const shores = shoresOf(view, board, size, where);
  const chart: Chart = { size, board, hexes, shores, beside, ...panelBoxes(view, width, height, panel, below, beside, plan) };

  const cells = new Map<string, Spot>();
  const outline = hexagon(size, -2.5);
  for (const { id, x, y } of hexes) cells.set(id, { x, y, size, outline });
  for (const { id, x, y } of shores) cells.set(id, { x, y, size: size * 1.3 });
  const pieces = new Map<string, Spot>();
  for (const [cell, there] of byCell(view.scene.pieces)) {
    const spot = cells.get(cell);
    if (!spot) continue;
    if (where.has(cell)) placeOnSpace(there, spot, pieces, plan);
    else placeAshore(there, spot, size, pieces);
  }
  return { width, height, cells, pieces, more: chart };
}

function shoresOf(view: View, board: Box, size: number, where: ReadonlyMap<string, Hex>): Shore[] {
  return view.scene.cells.flatMap((cell) => {
    const names = cell.properties["exits"] as string[] | undefined;
    if (!names) return [];
    const exits = names.flatMap((name) => where.get(name) ?? []);
    const middle = exits.reduce((sum, exit) => sum + exit.x, 0) / exits.length;
    const centre = exits.reduce((sum, exit) => sum + exit.y, 0) / exits.length;
    const right = middle < board.left + board.width / 2 ? -1 : 1;
    const down = centre < board.top + board.height / 2 ? -1 : 1;
    const x = right < 0 ? board.left + size * 0.98 : board.left + board.width - size * 0.98;
    const y = down < 0 ? board.top + size * 0.42 : board.top + board.height - size * 0.42;
    return [{ id: cell.id, x, y, right, down, exits }];
  });
}

function panelBoxes(
  view: View, width: number, height: number, panel: number, below: number, beside: boolean, plan: Plan,
): Pick<Chart, "status" | "seats" | "hand"> {
  const count = Math.max(view.seats.length, 1);
  if (beside) {
    const left = width - panel;
    const status = { left, top: 8, width: panel - 8, height: 150 };
    const hand = { left, top: height - (plan.hands ? 118 : 0), width: panel - 8, height: plan.hands ? 112 : 0 };
    const top = status.top + status.height + 8;
    const each = Math.min(96, (hand.top - top) / count);
    const seats = view.seats.map((_, seat) => ({ left, top: top + seat * each, width: panel - 8, height: each }));
    return { status, seats, hand };
  }
  const top = height - below;
  const status = { left: 0, top, width, height: 44 };
  const each = width / count;
  const seats = view.seats.map((_, seat) => ({ left: seat * each, top: top + 46, width: each, height: 56 }));
  return { status, seats, hand: { left: 0, top: top + 104, width, height: plan.hands ? 46 : 0 } };
}

export function byCell(pieces: readonly Piece[]): Map<string, Piece[]> {
  const found = new Map<string, Piece[]>();
  for (const piece of pieces) found.set(piece.cell, [...(found.get(piece.cell) ?? []), piece]);
  return found;
}

/** Everything on one space: a boat with its crew below, people and creatures above or alone. */
function placeOnSpace(there: Piece[], cell: Spot, spots: Map<string, Spot>, { isPerson }: Plan): void {
  const { x, y, size } = cell;
  const boat = there.find((piece) => piece.kind === "boat");
  const crew = there.filter((piece) => piece.properties["boat"]);
  const people = there.filter((piece) => isPerson(piece) && !piece.properties["boat"]);
  const creatures = there.filter((piece) => !isPerson(piece) && piece.kind !== "boat");
  const groups = [boat, people[0], creatures[0]].filter(Boolean).length;
  const put = (piece: Piece, dx: number, dy: number, part: number) =>
    spots.set(piece.id, { x: x + dx * size, y: y + dy * size, size: size * part, ring: (size * part) / 2 + 2.5 });

  if (boat) {
    const down = groups > 1 ? 0.2 : 0.08;
    put(boat, 0, down, 0.86);
    crew.forEach((piece, i) => put(piece, (i - (crew.length - 1) / 2) * 0.27, down - 0.13, 0.33));
  }
  if (groups === 1) {
    grid(people.length, 0.7).forEach(([dx, dy, part], i) => put(people[i]!, dx, dy, part));
    grid(creatures.length, 0.84).forEach(([dx, dy, part], i) => put(creatures[i]!, dx, dy, part));
    return;
  }
  const row = (pieces: Piece[], from: number, to: number, dy: number, most: number) =>
    pieces.forEach((piece, i) => {
      const each = (to - from) / pieces.length;
      put(piece, from + each * (i + 0.5), dy, Math.min(each * 0.98, most));
    });
  if (boat && people.length > 0 && creatures.length > 0) {
    row(creatures, -0.46, 0.06, -0.25, 0.46);
    row(people, 0.04, 0.46, -0.22, 0.36);
  } else if (boat) {
    row(creatures, -0.42, 0.42, -0.27, 0.52);
    row(people, -0.4, 0.4, -0.28, 0.38);
  } else {
    row(creatures, -0.44, 0.44, -0.2, 0.56);
    row(people, -0.44, 0.44, 0.24, 0.42);
  }
}

/** Offsets and sizes for so many things in a hexagon, in parts of its width. */
export function grid(count: number, alone: number): [number, number, number][] {
  if (count === 0) return [];
  if (count === 1) return [[0, 0, alone]];
  if (count === 2) return [[-0.23, 0, 0.45], [0.23, 0, 0.45]];
  if (count === 3) return [[-0.22, 0.16, 0.42], [0.22, 0.16, 0.42], [0, -0.24, 0.42]];
  const columns = Math.ceil(Math.sqrt(count));
  const lines = Math.ceil(count / columns);
  const step = 0.84 / Math.max(columns, lines);
  return Array.from({ length: count }, (_, i) => {
    const line = Math.floor(i / columns);
    const here = Math.min(columns, count - line * columns);
    return [((i % columns) - (here - 1) / 2) * step, (line - (lines - 1) / 2) * step, step * 0.98];
  });
}

/** Those who are saved, in rows on their island, closer together as they become more. */
function placeAshore(there: Piece[], cell: Spot, size: number, spots: Map<string, Spot>): void {
  const columns = Math.max(5, Math.ceil(there.length / 2));
  const lines = Math.ceil(there.length / columns);
  const step = (size * 1.65) / columns;
  there.forEach((piece, i) => {
    const line = Math.floor(i / columns);
    const here = Math.min(columns, there.length - line * columns);
    spots.set(piece.id, {
      x: cell.x + ((i % columns) - (here - 1) / 2) * step,
      y: cell.y + (line - (lines - 1) / 2) * size * 0.3,
      size: size * 0.32,
      ring: size * 0.2,
    });
  });
}
