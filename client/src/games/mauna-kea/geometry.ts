import type { Layout, Spot, View } from "../../board/face";
import { seenBox, WHOLE, type Box, type Field, type Lens } from "../../board/lens";
import type { Piece } from "../../generated/messages";
import { cellAt, COLUMNS, isCell, spaceAt, STEP, text, type Direction } from "./grid";

/** The parts of the layout that only the backdrop uses. */
export interface Island {
  left: number;
  top: number;
  /** The width of the nine spaces. */
  across: number;
  /** Between the edge of the board and the first space. */
  margin: number;
  space: number;
  cell: number;
  board: Box;
  strip: Box;
  trays: Box[];
  /** The seat with the large tray. */
  front: number;
  /** Whether the trays are low: the front one is a single row, with its head at the left. */
  low: boolean;
}

const STRIP = 24;
const HEAD = 20;
/** Low trays: the heights of the strip and of the trays, and the widths of the head of the front one and of its cards. */
const LOW = { strip: 20, others: 38, front: 44, head: 92, card: 23 };
/** Cards wider than this show their name, and have landscape format to fit it. */
export const NAMED = 40;
const [WIDE, HIGH] = [0.8, 1.32];
export const cardHeight = (wide: number): number => wide * (wide > NAMED ? WIDE : HIGH);

/** The island as large as possible, with the trays below or beside it. */
export function islandLayout(view: View, width: number, height: number, lens: Lens = WHOLE): Layout<Island> {
  const beside = width > height * 1.22;
  // Cards need the room while they are being chosen.
  const low = !beside && height < width * 1.2 && view.gauges["phase"] !== "phase.choose";
  const high = low ? LOW.strip : STRIP;
  const below = low ? LOW.others + LOW.front : Math.min(Math.max(height * 0.22, 104), 190);
  const side = beside ? Math.min(height, width - (width < 640 ? 206 : 250)) : Math.min(width, height - high - below);
  const extent = beside
    ? { left: 0, top: (height - side) / 2, width: side, height: side }
    : { left: (width - side) / 2, top: high, width: side, height: side };
  const field: Field = { window: beside ? { left: 0, top: 0, width: side, height } : { ...extent, left: 0, width }, extent };
  const board = seenBox(lens, extent);
  const margin = board.width * 0.062;
  const across = board.width - 2 * margin;
  const space = across / COLUMNS;
  const strip = beside
    ? { left: side + 10, top: 6, width: Math.min(width - side - 20, 460), height: STRIP }
    : { left: 8, top: 0, width: width - 16, height: high };
  const front = view.me ?? view.toMove ?? 0;
  const room = beside
    ? { left: strip.left, top: STRIP + 10, width: strip.width, height: height - STRIP - 16 }
    : { left: 0, top: high + side, width, height: height - high - side };
  const trays = beside ? stacked(view, room, front) : sideBySide(view, room, front, low);
  const more: Island = {
    left: board.left + margin, top: board.top + margin, across, margin, space, cell: space / 2, board, strip, trays, front, low,
  };
  const cells = cellSpots(view, more);
  return { width, height, field, cells, pieces: pieceSpots(view, cells, more), more };
}

/** On a phone: mine across the whole width, the others above it. */
function sideBySide(view: View, room: Box, front: number, low: boolean): Box[] {
  const others = view.seats.length - 1;
  const upper = others > 0 ? (low ? LOW.others : Math.min(room.height * 0.38, 62)) : 0;
  let place = 0;
  return view.seats.map((_, seat) => {
    if (seat === front) return { ...room, top: room.top + upper, height: room.height - upper };
    const width = room.width / others;
    return { left: room.left + width * place++, top: room.top, width, height: upper };
  });
}

/** On a wide screen: one below the other, mine first and larger. */
function stacked(view: View, room: Box, front: number): Box[] {
  const others = view.seats.length - 1;
  const large = Math.min(room.height * 0.42, 190);
  const each = others > 0 ? Math.min((room.height - large) / others, 120) : 0;
  let top = room.top + large;
  return view.seats.map((_, seat) => {
    if (seat === front) return { ...room, height: large };
    const box = { ...room, top, height: each };
    top += each;
    return box;
  });
}

// ---- cells --------------------------------------------------------------------------------------

/** A square around (0, 0), just inside what it rings. */
export const square = (size: number): string => oblong(size - 2, size - 2);

function cellSpots(view: View, island: Island): Map<string, Spot> {
  const cells = new Map<string, Spot>();
  const { left, top, space, cell, margin, strip } = island;
  for (const { id, kind, properties } of view.scene.cells) {
    if (isCell(id)) {
      const [column, row] = cellAt(id);
      const size = cell;
      cells.set(id, { x: left + (column + 0.5) * cell, y: top + (row + 0.5) * cell, size, outline: square(size) });
    } else if (kind === "cove") {
      cells.set(id, coveSpot(id, (properties["cells"] ?? []) as string[], island, margin));
    } else if (/^(front|saved|cards)/.test(id)) {
      const box = island.trays[seatOf(id)];
      if (box) cells.set(id, { x: box.left + box.width / 2, y: box.top + box.height / 2, size: 24 });
    } else if (id === "bag") {
      cells.set(id, { x: strip.left + strip.width - 14, y: strip.top + strip.height / 2, size: strip.height - 2 });
    } else if (id !== "gone") {
      const [column, row] = spaceAt(id);
      cells.set(id, {
        x: left + (column + 0.5) * space, y: top + (row + 0.5) * space, size: space, outline: square(space),
      });
    }
  }
  return cells;
}

const SIDES: Record<string, Direction> = { n: "north", e: "east", s: "south", w: "west" };

/** In the sea, beside the cells that a boat touches. */
function coveSpot(id: string, touched: readonly string[], { left, top, cell }: Island, margin: number): Spot {
  const [dx, dy] = STEP[SIDES[id[5] ?? "n"] ?? "north"];
  const places = touched.map(cellAt);
  const mean = (axis: 0 | 1) => places.reduce((sum, place) => sum + place[axis], 0) / Math.max(places.length, 1) + 0.5;
  const away = (cell + margin) / 2;
  return {
    x: left + mean(0) * cell + dx * away,
    y: top + mean(1) * cell + dy * away,
    size: cell * 2.6,
    angle: dx === 0 ? 0 : 90,
    outline: dx === 0 ? oblong(cell * 2.7, cell * 1.25) : oblong(cell * 1.25, cell * 2.7),
  };
}

const oblong = (wide: number, high: number): string =>
  `M${-wide / 2} ${-high / 2}h${wide}v${high}h${-wide}z`;

const seatOf = (cell: string): number => Number(/\d+/.exec(cell)![0]) - 1;

// ---- pieces -------------------------------------------------------------------------------------

function pieceSpots(view: View, cells: ReadonlyMap<string, Spot>, island: Island): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  const { pieces } = view.scene;
  const inCell = (piece: Piece) => isCell(piece.cell);
  for (const piece of pieces) {
    const spot = cells.get(piece.cell);
    if (!spot || /^(front|saved|cards)/.test(piece.cell)) continue;
    if (piece.kind === "explorer") spots.set(piece.id, { ...spot, size: island.cell * 0.92, ring: island.cell * 0.6 });
    else if (piece.kind !== "artefact") spots.set(piece.id, piece.kind === "boat" ? spot : { ...spot, outline: undefined! });
  }
  const occupied = new Set(pieces.filter((piece) => piece.kind === "explorer" && inCell(piece)).map(({ cell }) => cell));
  const lying = new Map<string, number>();
  for (const piece of pieces.filter((each) => each.kind === "artefact" && inCell(each))) {
    const carrier = text(piece, "carried_by");
    const key = carrier || piece.cell;
    const number = lying.get(key) ?? 0;
    lying.set(key, number + 1);
    const spot = cells.get(piece.cell);
    if (spot) spots.set(piece.id, artefactSpot(spot, number, carrier !== "", occupied.has(piece.cell)));
  }
  island.trays.forEach((box, seat) => placeBefore(spots, view, seat, box, seat === island.front, island.low));
  return spots;
}

/** On the ground: in the middle, or in the upper left corner under an explorer. Carried: in a row below. */
function artefactSpot(spot: Spot, number: number, carried: boolean, shared: boolean): Spot {
  const part = (x: number, y: number, size: number): Spot => ({
    x: spot.x + x * spot.size, y: spot.y + y * spot.size, size: spot.size * size, ring: spot.size * (size / 2 + 0.12),
  });
  if (carried) return part(0.4 - 0.34 * number, 0.42, 0.4);
  if (shared) return part(-0.34 + 0.2 * number, -0.36, 0.42);
  return part(number * 0.14, -number * 0.14, 0.62);
}

/** A tray: tiles, cards, and the boats in its header; in a low front tray, at the right. */
function placeBefore(spots: Map<string, Spot>, view: View, seat: number, box: Box, large: boolean, low: boolean): void {
  const mine = (kind: string, cell: string) =>
    view.scene.pieces.filter((piece) => piece.kind === kind && piece.cell === `${cell}${seat + 1}`);
  const tiles = mine("tile", "front");
  // Cards need the room while they are being chosen.
  const choosing = large && view.scene.gauges["phase"] === "phase.choose";
  const waiting = choosing ? [] : mine("explorer", "front");
  const cards = mine("card", "cards");
  const boats = mine("boat", "saved");
  const inRow = low && large;
  const saved = inRow && boats.length > 0 ? 66 : 0;
  const body = inRow
    ? { left: box.left + LOW.head, top: box.top + 2, width: box.width - LOW.head - 8 - saved, height: box.height - 5 }
    : { left: box.left + 8, top: box.top + HEAD, width: box.width - 16, height: box.height - HEAD - 3 };
  const roomy = large && cards.length > 0 && body.height > 100;
  const tall = roomy && !choosing;
  const lines = roomy && choosing ? 2 : 1;
  const row = tall ? body.height * 0.46 : body.height;
  const middle = body.top + row / 2;

  const all = tiles.length + waiting.length;
  const gap = large && !inRow ? 6 : 3;
  const share = inRow ? (LOW.card + gap) / body.width : 0.1;
  const cardRoom = cards.length === 0 || tall ? 0 : large ? Math.min(inRow ? 0.6 : 0.46, cards.length * share) : 0.24;
  const largest = large ? 72 : Math.min(Math.max(row * 0.5, 26), 40);
  const tileSize = Math.min(row * 0.94, largest, (body.width * (1 - cardRoom)) / Math.max(all, large && !inRow ? 5 : 4) - (inRow ? 6 : 5));
  tiles.forEach((piece, index) => {
    spots.set(piece.id, { x: body.left + (index + 0.5) * (tileSize + 6), y: middle, size: tileSize, outline: square(tileSize + 4) });
  });
  const person = Math.min(tileSize, 26);
  waiting.forEach((piece, index) => {
    spots.set(piece.id, { x: body.left + (index + 0.5) * (person + 4), y: middle, size: person });
  });

  const fromLeft = tall || choosing || (all === 0 && large);
  const inLine = Math.max(Math.ceil(cards.length / lines), 1);
  const cardHigh = Math.min(tall ? body.height - row - 6 : (row * 0.96) / lines, large ? 92 : 22);
  const span = body.width * (fromLeft ? 1 : cardRoom);
  const room = span / inLine - gap;
  const high = cardHigh - (lines - 1) * 3;
  const named = Math.min(high / WIDE, room);
  const cardWide = large && named > NAMED ? named : Math.min(high / HIGH, room, NAMED);
  const step = large ? cardWide + gap : Math.min(cardWide + 1, span / inLine);
  cards.forEach((piece, index) => {
    const place = (index % inLine) + 0.5;
    const x = fromLeft ? body.left + place * step : body.left + body.width - (inLine - place) * step;
    const line = Math.floor(index / inLine) - (lines - 1) / 2;
    const y = tall ? body.top + row + cardHigh / 2 + 3 : middle + line * cardHigh;
    spots.set(piece.id, { x, y, size: cardWide, outline: cardOutline(cardWide) });
  });

  const lifted = isLifted(view, seat);
  const flat = box.height <= 80;
  const slots = Math.max(boats.length + (lifted ? 1 : 0), 1);
  const columns = Math.max(2, Math.ceil(slots / 2));
  const long = inRow ? 62 / columns - 3 : large ? 46 : Math.min(flat ? 30 : 46, (box.width * 0.44) / slots - 3);
  const boatAt = (index: number): Spot =>
    inRow
      ? { x: box.left + box.width - 8 - long / 2 - (index % columns) * (long + 3), y: body.top + body.height * (index < columns ? 0.27 : 0.75), size: long, angle: 0 }
      : large
      ? { x: box.left + box.width - 14 - long / 2 - index * (long + 5), y: box.top + HEAD / 2 + 1, size: long, angle: 0 }
      : { x: box.left + box.width - (flat ? 26 : 8) - long / 2 - index * (long + 3), y: flat ? box.top + 12 : box.top + box.height - 18, size: long, angle: 0 };
  boats.forEach((boat, index) => spots.set(boat.id, boatAt(index)));
  placeSaved(spots, view, seat, boats, boatAt, lifted);
}

/** The width that boats and airlifted pieces take in the header of a low tray, between name and score. */
export function savedInHead(view: View, seat: number, box: Box): number {
  if (box.height > 80) return 0;
  const boats = view.scene.pieces.filter(({ kind, cell }) => kind === "boat" && cell === `saved${seat + 1}`).length;
  return Math.min((boats + (isLifted(view, seat) ? 1 : 0)) * 33, box.width * 0.44);
}

const isLifted = (view: View, seat: number): boolean =>
  view.scene.pieces.some((piece) => piece.cell === `saved${seat + 1}` && aloft(piece));

const aloft = (piece: Piece): boolean =>
  piece.properties["lifted"] === true || (piece.kind === "artefact" && !piece.properties["boat"]);

/** Passengers at the stern of their boats, artefacts in the places; airlifted pieces in their own row. */
function placeSaved(
  spots: Map<string, Spot>,
  view: View,
  seat: number,
  boats: readonly Piece[],
  boatAt: (index: number) => Spot,
  lifted: boolean,
): void {
  const saved = view.scene.pieces.filter((piece) => piece.cell === `saved${seat + 1}`);
  saved
    .filter((piece) => piece.kind === "explorer" && piece.properties["lifted"] !== true)
    .forEach((piece, index) => {
      const boat = boatAt(index);
      spots.set(piece.id, { x: boat.x - boat.size * 0.3, y: boat.y - boat.size * 0.04, size: boat.size * 0.34 });
    });
  for (const [index, boat] of boats.entries()) {
    const at = boatAt(index);
    saved
      .filter((piece) => text(piece, "boat") === boat.id)
      .forEach((piece, place) => {
        const [x, y] = placeInBoat(place);
        spots.set(piece.id, { x: at.x + x * at.size, y: at.y + y * at.size, size: at.size * 0.17 });
      });
  }
  if (!lifted) return;
  const at = boatAt(boats.length);
  const flown = saved.filter(aloft).toSorted((one, other) => other.kind.localeCompare(one.kind));
  flown.forEach((piece, place) => {
    const size = at.size * (piece.kind === "explorer" ? 0.34 : 0.22);
    spots.set(piece.id, { x: at.x - at.size * 0.3 + place * at.size * 0.3, y: at.y + at.size * 0.07, size });
  });
}

/** The positions of a boat's places, relative to its length. */
export const placeInBoat = (place: number): [number, number] => [-0.02 + 0.19 * place, 0];

const cardOutline = (wide: number): string => oblong(wide + 2, cardHeight(wide) + 2);
