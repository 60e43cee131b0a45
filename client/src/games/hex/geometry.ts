import type { Layout, Spot, View } from "../../board/face";
import { seenBox, WHOLE, type Box, type Lens } from "../../board/lens";
import type { Cell, Piece } from "../../generated/messages";

/** A space of the board. */
export interface Hex {
  id: string;
  x: number;
  y: number;
}

/** A corner island: its corner, and the spaces next to it. */
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
  /** The cards or tiles of the viewer; empty in games without hands. */
  hand: Box;
  /** Whether the panel is beside the board instead of below it, and whether it is narrow. */
  beside: boolean;
  tight: boolean;
}

export interface Plan {
  /** Whether players have hands. */
  hands: boolean;
  /** The pieces with their own places on a space: people, creatures. */
  isPerson: (piece: Piece) => boolean;
}

/** The width of a small hexagon. */
const SMALL = 32;
const ROW = Math.sqrt(3) / 2;
const TALL = 2 / Math.sqrt(3);

/** A pointy-top hexagon of this width around (0, 0). */
export function hexagon(width: number, grow = 0): string {
  const half = width / 2 + grow;
  const tall = half * TALL;
  const f = (n: number) => n.toFixed(2);
  return `M0 ${f(-tall)}L${f(half)} ${f(-tall / 2)}V${f(tall / 2)}L0 ${f(tall)}L${f(-half)} ${f(tall / 2)}V${f(-tall / 2)}Z`;
}

const at = (cell: Cell): [number, number] => cell.properties["at"] as [number, number];

/** The chart for any screen shape; the panel goes where more room is left. */
export function hexLayout(view: View, width: number, height: number, plan: Plan, lens: Lens = WHOLE): Layout<Chart> {
  const spaces = view.scene.cells.filter((cell) => cell.properties["at"] !== undefined);
  const columns = Math.max(...spaces.map((cell) => at(cell)[0])) / 2 + 1;
  const rows = Math.max(...spaces.map((cell) => at(cell)[1]));
  const tall = rows * ROW + TALL;
  const { beside, tight, panel, below } = panelFor(width, height, columns / tall, plan);
  const window = { left: 0, top: 0, width: width - panel - (beside ? 8 : 0), height: height - below };
  const whole = Math.min((window.width - 6) / columns, (window.height - (beside ? 8 : 6)) / tall);
  const extent = {
    left: (window.width - whole * columns) / 2,
    top: Math.max((window.height - whole * tall) / 2, 0),
    width: whole * columns,
    height: whole * tall,
  };
  const size = whole * lens.scale;
  const board = seenBox(lens, extent);
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
  const boxes = beside ? boxesBeside(view, width, height, panel, tight, plan) : boxesBelow(view, width, height - below, tight, plan);
  const chart: Chart = { size, board, hexes, shores, beside, tight, ...boxes };

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
  return { width, height, field: { window, extent }, cells, pieces, more: chart };
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

/** The panel layout that leaves the chart largest: beside it or below it, wide or narrow. */
function panelFor(width: number, height: number, shape: number, plan: Plan): Pick<Chart, "beside" | "tight"> & { panel: number; below: number } {
  if (width > 620 && width / height > 1.12) return { beside: true, tight: false, panel: Math.min(280, width * 0.3), below: 0 };
  const tight = height < 520;
  const below = plan.hands ? (tight ? 126 : 150) : tight ? 80 : 104;
  const across = (wide: number, high: number) => Math.min(wide, high * shape);
  const beside = height >= 320 && across(width - TIGHT_PANEL, height) > across(width, height - below);
  return beside ? { beside, tight: true, panel: TIGHT_PANEL, below: 0 } : { beside, tight, panel: 0, below };
}

const TIGHT_PANEL = 168;

/** The vertical offsets of a seat's name and counts in its box. */
export const seatLines = ({ tight, seats }: Pick<Chart, "tight" | "seats">): [number, number] =>
  !tight ? [17, 41] : seats[0]!.height < 44 ? [12, 29] : [12, 35];

type Boxes = Pick<Chart, "status" | "seats" | "hand">;

function boxesBeside(view: View, width: number, height: number, panel: number, tight: boolean, plan: Plan): Boxes {
  const left = width - panel;
  const status = { left, top: tight ? 2 : 8, width: panel - 8, height: tight ? 92 : 150 };
  const room = plan.hands ? (tight ? 66 : 112) : 0;
  const hand = { left, top: height - room - (plan.hands ? 6 : 0), width: panel - 8, height: room };
  const top = status.top + status.height + (tight ? 4 : 8);
  const each = Math.min(96, (hand.top - top) / Math.max(view.seats.length, 1));
  const seats = view.seats.map((_, seat) => ({ left, top: top + seat * each, width: panel - 8, height: each }));
  return { status, seats, hand };
}

function boxesBelow(view: View, width: number, top: number, tight: boolean, plan: Plan): Boxes {
  const status = { left: 0, top, width, height: tight ? 38 : 44 };
  const each = width / Math.max(view.seats.length, 1);
  const line = { top: top + status.height + 1, height: tight ? 40 : 56 };
  const seats = view.seats.map((_, seat) => ({ left: seat * each, width: each, ...line }));
  return { status, seats, hand: { left: 0, top: line.top + line.height + 1, width, height: plan.hands ? 46 : 0 } };
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
    // On a small board a crew would be too small to recognize: the boat is larger than its space.
    const large = crew.length > 0 && size < SMALL;
    const [each, apart] = !large ? [0.33, 0.27] : crew.length > 2 ? [0.42, 0.38] : [0.52, 0.5];
    put(boat, 0, large ? Math.max(down, 0.14) : down, large ? 1.1 : 0.86);
    crew.forEach((piece, i) => put(piece, (i - (crew.length - 1) / 2) * apart, down - 0.13, each));
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

/** Offsets and sizes for a number of pieces in a hexagon, relative to its width. */
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

/** The saved people in rows on their island, closer together the more there are. */
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
