import type { Piece } from "../../generated/messages";
import type { Layout, Spot, View } from "../../board/face";
import { seen, WHOLE, type Box, type Lens, type Point } from "../../board/lens";

/** The parts of the layout that only the backdrop uses. */
export interface Sea {
  /** The path from the submarine along the line, as closely spaced points. */
  way: Point[];
  submarine: Box;
  gauge: Box;
  dice: Box;
  trays: Box[];
  trayTop: number;
  chip: number;
  /** The layout without a lens. */
  wholeChip: number;
}

const LARGEST_CHIP = 72;
const SAMPLES_PER_PIECE = 24;

/** The board for a screen of any shape: submarine and gauges above, the line, hands below. */
export function seaLayout(view: View, width: number, height: number, lens: Lens = WHOLE): Layout<Sea> {
  const spaces = view.scene.cells.filter((cell) => cell.kind === "space").length;
  const wide = width > 640;
  const head = clamp(height * 0.17, 74, 118);
  const tray = clamp(height * 0.17, 78, 116);
  const submarine = { left: 16, top: 12, width: Math.min(width * 0.46, 250), height: head - 20 };
  const gauge = {
    left: submarine.left + submarine.width + (wide ? 34 : 14),
    top: 8,
    width: Math.min(width - submarine.left - submarine.width - (wide ? 60 : 26), 420),
    height: head * 0.48,
  };
  const dice = { left: gauge.left, top: gauge.top + gauge.height + 4, width: gauge.width, height: head * 0.36 };
  const sea = { left: 0, top: head, width, height: height - head - tray };
  const best = bestWay(sea, spaces, {
    x: submarine.left + submarine.width * 0.5,
    y: submarine.top + submarine.height * 0.92,
  });
  const way = best.way.map((point) => seen(lens, point));
  const chip = best.chip * lens.scale;
  const trays = trayBoxes(view, width, height - tray, tray);

  const cells = new Map<string, Spot>();
  const divers = view.seats.length;
  const seat = Math.min(submarine.height * 0.44, (submarine.width * 0.76) / Math.max(divers, 4));
  cells.set("sub", {
    x: submarine.left + submarine.width * 0.47,
    y: submarine.top + submarine.height * 0.6,
    size: seat,
    angle: 0,
  });
  spotsAlong(way, spaces, chip).forEach((spot, space) => cells.set(`s${space + 1}`, spot));
  trays.forEach((box, diver) => {
    cells.set(`hand${diver + 1}`, handSpot(box));
    cells.set(`treasure${diver + 1}`, treasureSpot(box));
  });
  const more: Sea = { way, submarine, gauge, dice, trays, trayTop: height - tray, chip, wholeChip: best.chip };
  const passing = (spot: Spot, piece: string) => (piece.startsWith("diver") ? floating(spot) : spot);
  return { width, height, field: { window: sea, extent: sea }, cells, passing, pieces: pieceSpots(view, cells, trays, submarine.width * 0.74), more };
}

// ---- the line -----------------------------------------------------------------------------------

/** Winding rows; their number maximizes the size of the chips. */
export function bestWay(sea: Box, spaces: number, start: Point): { way: Point[]; chip: number } {
  let best: { way: Point[]; chip: number } | undefined;
  for (let rows = 1; rows <= 9; rows++) {
    // The margin and the chip size depend on each other.
    let chip = largestChip(windingWay(sea, rows, start, 24), sea, rows, spaces);
    const way = windingWay(sea, rows, start, chip);
    chip = Math.min(chip, largestChip(way, sea, rows, spaces));
    if (!best || chip > best.chip + 0.01) best = { way, chip };
  }
  return best!;
}

function largestChip(way: readonly Point[], sea: Box, rows: number, spaces: number): number {
  const spacing = (lengthOf(way) - distance(way[0]!, way[1]!)) / Math.max(spaces - 0.4, 1);
  return Math.min(spacing * 0.86, (sea.height / rows) * 0.68, LARGEST_CHIP);
}

export function windingWay(sea: Box, rows: number, start: Point, chip: number): Point[] {
  // Divers float above their spaces, so the first row needs a margin.
  const top = sea.top + chip * 0.22;
  const gap = (sea.height - chip * 0.22) / rows;
  const radius = gap / 2;
  const margin = chip / 2 + 7;
  const left = sea.left + margin;
  const right = sea.left + sea.width - margin;
  const sway = Math.min(gap * 0.1, 12);
  const points: Point[] = [];
  for (let row = 0; row < rows; row++) {
    const y = top + gap * (row + 0.5);
    const outward = row % 2 === 0;
    const side = outward ? 1 : -1;
    // The half circle of a turn shortens the rows above and below it.
    const near = row === 0 ? left : outward ? left + radius : right - radius;
    const far = outward ? right : left;
    const end = row === rows - 1 ? far : far - side * radius;
    for (let step = 0; step <= SAMPLES_PER_PIECE; step++) {
      const part = step / SAMPLES_PER_PIECE;
      const sine = Math.sin(part * Math.PI * 2 + row * 0.9);
      points.push({ x: near + (end - near) * part, y: y + sine * sway * swell(part) });
    }
    if (row === rows - 1) break;
    for (let step = 1; step < SAMPLES_PER_PIECE; step++) {
      const turn = (Math.PI * step) / SAMPLES_PER_PIECE;
      points.push({ x: end + side * Math.sin(turn) * radius, y: y + radius - Math.cos(turn) * radius });
    }
  }
  return [start, ...points];
}

/** No waviness at the ends of a row, where it meets a turn. */
function swell(part: number): number {
  return Math.min(1, part * 6, (1 - part) * 6);
}

export function lengthOf(way: readonly Point[]): number {
  let length = 0;
  for (let i = 1; i < way.length; i++) length += distance(way[i - 1]!, way[i]!);
  return length;
}

/** One spot per space, evenly spaced from the start of the first row. */
export function spotsAlong(way: readonly Point[], spaces: number, size: number): Spot[] {
  const lead = distance(way[0]!, way[1]!);
  const length = lengthOf(way) - lead;
  const spacing = Math.min(length / Math.max(spaces - 0.4, 1), size * 2.4);
  return Array.from({ length: spaces }, (_, space) => {
    const at = pointAlong(way, lead + spacing * space);
    return { ...at, size };
  });
}

export function pointAlong(way: readonly Point[], far: number): Point & { angle: number } {
  let left = far;
  for (let i = 1; i < way.length; i++) {
    const from = way[i - 1]!;
    const to = way[i]!;
    const step = distance(from, to);
    if (left <= step || i === way.length - 1) {
      const part = step === 0 ? 0 : Math.min(left / step, 1);
      return {
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
        angle: (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI,
      };
    }
    left -= step;
  }
  return { ...way[0]!, angle: 0 };
}

// ---- hands and treasure -------------------------------------------------------------------------

/** One box per seat along the lower edge; mine is wider, because its chips can be tapped. */
function trayBoxes(view: View, width: number, top: number, height: number): Box[] {
  const weights = view.seats.map((_, seat) => (seat === view.me ? 2.1 : 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = 0;
  return weights.map((weight) => {
    const box = { left, top, width: (width * weight) / total, height };
    left += box.width;
    return box;
  });
}

const handSpot = (box: Box): Spot => ({
  x: box.left + box.width / 2,
  y: box.top + box.height * 0.53,
  size: Math.min(box.height * 0.36, box.width * 0.42, 40),
});

const treasureSpot = (box: Box): Spot => ({
  x: box.left + Math.min(18, box.width * 0.2),
  y: box.top + box.height * 0.86,
  size: Math.min(box.height * 0.2, 20),
});

// ---- pieces -------------------------------------------------------------------------------------

function pieceSpots(
  view: View,
  cells: ReadonlyMap<string, Spot>,
  trays: readonly Box[],
  room: number,
): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  const inCell = new Map<string, Piece[]>();
  for (const piece of view.scene.pieces) {
    const there = inCell.get(piece.cell) ?? [];
    inCell.set(piece.cell, [...there, piece]);
  }
  for (const [cell, pieces] of inCell) {
    const spot = cells.get(cell);
    if (!spot) continue;
    if (cell === "sub") placeAboard(spots, spot, pieces, room);
    else if (cell.startsWith("hand")) fan(spots, spot, pieces, trays[seatOf(cell)]!.width - 10);
    else if (cell.startsWith("treasure")) heap(spots, spot, pieces);
    else placeInWater(spots, spot, pieces);
  }
  return spots;
}

const seatOf = (cell: string): number => Number(/\d+/.exec(cell)![0]) - 1;

function placeAboard(spots: Map<string, Spot>, spot: Spot, divers: readonly Piece[], room: number): void {
  const step = Math.min(spot.size * 1.5, room / divers.length);
  divers.forEach((diver, index) => {
    const across = index - (divers.length - 1) / 2;
    spots.set(diver.id, { ...spot, x: spot.x + across * step, size: spot.size * 0.92 });
  });
}

function fan(spots: Map<string, Spot>, spot: Spot, units: readonly Piece[], room: number): void {
  const step = Math.min(spot.size * 1.3, (room - spot.size) / Math.max(units.length - 1, 1));
  units.forEach((unit, index) => {
    spots.set(unit.id, { ...spot, x: spot.x + (index - (units.length - 1) / 2) * step });
  });
}

function heap(spots: Map<string, Spot>, spot: Spot, chips: readonly Piece[]): void {
  chips.forEach((chip, index) => {
    const lift = Math.min(index, 4);
    spots.set(chip.id, { ...spot, x: spot.x + lift * 1.2, y: spot.y - lift * 1.6 });
  });
}

function placeInWater(spots: Map<string, Spot>, spot: Spot, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    // A diver floats above the chip, so that both are visible.
    if (piece.kind === "diver")
      spots.set(piece.id, floating(spot));
    else spots.set(piece.id, piece.kind === "disc" ? { ...spot, size: spot.size * 0.62 } : spot);
  }
}

/** Where a diver is drawn on a space. */
const floating = (spot: Spot): Spot => ({ ...spot, y: spot.y - spot.size * 0.44, size: spot.size * 0.76 });

// ---- small things -------------------------------------------------------------------------------

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

const clamp = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, value));
