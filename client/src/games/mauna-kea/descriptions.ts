import type { TextLine, View } from "../../board/face";
import { capital, say } from "../../lib/words";
import type { Choice, Label, Piece } from "../../generated/messages";
import { count, groundsOf, isCell, isSpace, list, spaceOf, text } from "./grid";

type Say = (key: string, details?: Record<string, unknown>) => string;
const sayer =
  (view: View): Say =>
  (key, details = {}) =>
    say(view.sentences, key, details);

/** A count, as a singular or plural sentence. */
const many = (tell: Say, key: string, number: number): string => tell(`${key}.${number > 1 ? "many" : number === 1 || key !== "board.points" ? "one" : "none"}`, { count: number });

/** The description of a tile's four cells: upper row, then lower. */
function terrainText(tell: Say, terrain: string): string {
  const [nw, ne, sw, se] = groundsOf(terrain).map((ground) => tell(`board.ground.${ground}`));
  return new Set(terrain).size === 1 ? nw! : tell("board.terrain", { nw, ne, sw, se });
}

function load(tell: Say, colours: readonly string[]): string {
  return colours.map((colour) => tell(`piece.artefact.${colour}`)).join(", ");
}

// ---- pieces and cells ---------------------------------------------------------------------------

export function describe(piece: Piece, view: View): string {
  const tell = sayer(view);
  const name = view.seats[piece.seat ?? -1]?.name ?? "";
  switch (piece.kind) {
    case "explorer": {
      const where = isCell(piece.cell) ? piece.cell : tell(`board.place.${placeOf(piece)}`);
      const carried = list(piece, "load");
      const what = tell("piece.explorer", { name, number: count(piece, "number"), where });
      return carried.length > 0 ? `${what}, ${tell("board.carries", { load: load(tell, carried) })}` : what;
    }
    case "artefact":
      return tell(`piece.artefact.${text(piece, "colour")}`);
    case "boat": {
      const colour = tell(`colour.${text(piece, "colour")}`);
      return many((key, details) => tell(key, { ...details, colour }), "piece.boat", count(piece, "places"));
    }
    case "tile":
      return many((key, details) => tell(key, { ...details, terrain: terrainText(tell, text(piece, "terrain")) }), "piece.tile", count(piece, "points"));
    case "card": {
      const card = text(piece, "card");
      return card ? tell("piece.card.named", { name: worthOf(tell, piece), help: cardHelp(view, card) }) : tell("piece.card");
    }
    case "bag":
      return bagText(tell, piece, view);
    default:
      return piece.kind;
  }
}

function placeOf(piece: Piece): string {
  if (piece.cell === "gone") return "lost";
  if (piece.properties["lifted"] === true) return "lifted";
  return piece.cell.startsWith("front") ? "waiting" : "saved";
}

const cardName = (tell: Say, card: string): string => tell(`card_name.${card}`);
/** A card, with its value if it has one. */
function worthOf(tell: Say, piece: Piece): string {
  const points = Number(piece.properties["points"] ?? 0);
  const name = cardName(tell, text(piece, "card"));
  return points > 0 ? tell("board.card_worth", { name, points: many(tell, "board.points", points) }) : name;
}
const cardHelp = (view: View, card: string): string =>
  view.sentences[`card_help.${card}`] ?? view.sentences["card_help.objective"] ?? "";

/** What a card does, for a choice to put it away or to play it. */
export function explain({ key, details }: Choice, view: View): string {
  const card = key === "action.reject" ? String(details["card"]) : key.startsWith("action.card.") ? key.slice("action.card.".length) : "";
  return card && cardHelp(view, card);
}

/** The content of the bag: tiles by points or one by one, then the lava of each flow. */
function bagText(tell: Say, bag: Piece, view: View, whole = false): string {
  const counts = bag.properties["counts"] as number[];
  const lines = new Map<string, number>();
  list(bag, "tiles").forEach((tile, index) => {
    const flow = /^(north|east|south|west)-/.exec(tile)?.[1];
    const what = flow
      ? tell(`board.flow.${flow}`)
      : `${whole ? terrainText(tell, tile.slice(0, 4).toUpperCase()) : tell("board.kind.tile")} ${tell("board.worth", { points: tile.slice(4) })}`;
    lines.set(what, (lines.get(what) ?? 0) + (counts[index] ?? 0));
  });
  const inside = [...lines].map(([what, number]) => `${number} × ${what}`).join(tell("board.separator"));
  return `${tell("board.bag", { bag: view.gauges["bag"], lava: view.gauges["lava_in_bag"] })} ${inside}`;
}

export function describeCell(id: string, view: View): string {
  const tell = sayer(view);
  const cell = view.scene.cells.find((found) => found.id === id);
  if (!cell) return "";
  const there = view.scene.pieces.filter((piece) => piece.cell === id && !piece.properties["carried_by"]);
  if (cell.kind === "cove") return [coveName(tell, id), ...there.map((piece) => describe(piece, view))].join(", ");
  const ground = isCell(id) ? tell(`board.ground.${cell.kind}`) : isSpace(id) ? spaceText(id, view) : tell(`board.kind.${cell.kind}`);
  return [tell("board.place", { id, ground }), ...there.map((piece) => describe(piece, view))].join(", ");
}

const coveName = (tell: Say, id: string): string => `${tell("board.kind.cove")} ${id.replace("cove-", "")}`;

function spaceText(id: string, view: View): string {
  const tell = sayer(view);
  const cell = view.scene.cells.find((found) => found.id === id)!;
  if (cell.kind === "lava") {
    const exits = list(cell, "exits").map((exit) => tell(`board.to.${exit}`));
    const dot = text(cell, "dot");
    const parts = [tell(`board.flow.${text(cell, "flow")}`), exits.join(", ")];
    if (dot) parts.push(tell("board.dot", { to: tell(`board.to.${dot}`) }));
    return parts.join(", ");
  }
  const terrain = text(cell, "terrain");
  return terrain ? `${tell(`board.kind.${cell.kind}`)}, ${terrainText(tell, terrain)}` : tell(`board.kind.${cell.kind}`);
}

// ---- choices ------------------------------------------------------------------------------------

/** Labels of choices whose sentence would be too short or too long. */
export function label(choice: Choice, view: View): string | null {
  const tell = sayer(view);
  const { key, details } = choice;
  switch (key.replace(/^action\./, "").split(".")[0]) {
    case "tile":
      return tell("board.lay");
    case "spend":
      return many(tell, "board.spend", Number(details["points"]));
    case "turn":
    case "quake_turn":
      return tell(`board.turn.${String(details["turns"])}`, { terrain: terrainText(tell, String(details["terrain"])) });
    case "reject": {
      const piece = view.scene.pieces.find(({ id }) => id === choice.targets[0]);
      return tell("board.reject", { card: piece ? worthOf(tell, piece) : cardName(tell, String(details["card"])) });
    }
    case "card":
      return say(view.sentences, key);
    case "end_play": {
      const unused = Number(details["unused"] ?? 0);
      return unused > 0 ? many(tell, "board.end_play", unused) : null;
    }
    case "explorer":
      return tell(key, details);
    case "take":
    case "put":
    case "leave":
      return tell(key);
    case "board":
      return tell(key, details);
    default:
      return null;
  }
}

/** An action in a whole turn. Tiles are named by their points, because their numbers change. */
export function inTurn({ key, details }: Label, view: View): string | null {
  const tell = sayer(view);
  const points = Number(details["points"]);
  switch (key.replace(/^action\./, "")) {
    case "tile":
      return many(tell, "turn.tile", points);
    case "spend":
      return many(tell, "turn.spend", points);
    case "turn":
      return tell("turn.lay", { ...details, terrain: terrainText(tell, String(details["terrain"])) });
    case "north":
    case "east":
    case "south":
    case "west":
      return tell("turn.step", details);
    default:
      return null;
  }
}

// ---- the board in words -------------------------------------------------------------------------

export function textBoard(view: View): TextLine[] {
  const tell = sayer(view);
  const { pieces, cells } = view.scene;
  const of = (kind: string, cell: string) => pieces.filter((piece) => piece.kind === kind && piece.cell === cell);
  const bag = pieces.find((piece) => piece.kind === "bag");
  const lines: TextLine[] = [
    { label: tell("board.round", view.gauges), text: bag ? bagText(tell, bag, view, true) : "" },
  ];
  for (const [number, seat] of view.seats.entries()) {
    const mine = pieces.filter((piece) => piece.kind === "explorer" && piece.seat === number);
    const tiles = of("tile", `front${number + 1}`);
    const boats = of("boat", `saved${number + 1}`);
    const cards = of("card", `cards${number + 1}`);
    const parts = [
      many(tell, "board.points", (view.gauges["points"] as number[])[number] ?? 0),
      ...mine.map((piece) => describe(piece, view).replace(`${seat.name}: `, "")),
      ...tiles.map((piece) => describe(piece, view)),
      ...boats.map((piece) => describe(piece, view)),
      ...cards.map((piece) => describe(piece, view)),
    ];
    if (number === view.toMove) parts.unshift(tell("board.to_move", view.gauges));
    lines.push({ label: seat.name, text: capital(parts.join(tell("board.separator"))) });
  }
  for (const cove of cells.filter(({ kind }) => kind === "cove")) {
    const boat = pieces.find((piece) => piece.cell === cove.id);
    const touched = list(cove, "cells").join(", ");
    lines.push({
      label: coveName(tell, cove.id),
      text: boat ? tell("board.moored", { boat: describe(boat, view), cells: touched }) : tell("board.no_boat"),
    });
  }
  for (const cell of cells.filter(({ id, kind }) => isSpace(id) && kind !== "empty")) {
    const there = pieces.filter(
      (piece) => isCell(piece.cell) && spaceOf(piece.cell) === cell.id && !piece.properties["carried_by"],
    );
    const words = there.map((piece) => (piece.kind === "explorer" ? describe(piece, view) : `${describe(piece, view)} (${piece.cell})`));
    lines.push({ label: cell.id, text: capital([spaceText(cell.id, view), ...words].join(tell("board.separator"))) });
  }
  return lines;
}

// ---- the score ----------------------------------------------------------------------------------

const WORTH: Record<string, number> = { white: 1, grey: 2, black: 3 };

/** The parts of a score: explorers, artefacts, empty places, objectives. */
interface Score {
  boats: number;
  artefacts: number;
  /** Minus one for each empty place. */
  empty: number;
  /** Objectives, and penalties that a card cancels. */
  rest: number;
  parts: number[];
}

function scoreOf(view: View, seat: number): Score {
  const saved = view.scene.pieces.filter((piece) => piece.cell === `saved${seat + 1}`);
  const boats = saved.filter((piece) => piece.kind === "boat");
  const treasures = saved.filter((piece) => piece.kind === "artefact");
  const places = boats.reduce((sum, boat) => sum + count(boat, "places"), 0);
  const empty = Math.min(0, treasures.filter((piece) => piece.properties["boat"]).length - places);
  const values = treasures.map((piece) => WORTH[text(piece, "colour")] ?? 0);
  const artefacts = values.reduce((sum, value) => sum + value, 0);
  const total = ((view.gauges["points"] ?? []) as number[])[seat] ?? 0;
  const rest = total - 3 * boats.length - artefacts - empty;
  return { boats: 3 * boats.length, artefacts, empty, rest, parts: [...boats.map(() => 3), ...values, empty, rest].filter((part) => part !== 0) };
}

export const scoreParts = (view: View): number[][] => view.seats.map((_, seat) => scoreOf(view, seat).parts);

/** The score in words: what the boats, the artefacts and the rest are worth. */
export function scoreNotes(view: View): string[] {
  const tell = sayer(view);
  return view.seats.map((_, seat) => {
    const score = scoreOf(view, seat);
    const named = (["boats", "artefacts", "empty", "rest"] as const).filter((part) => score[part] !== 0 || part === "boats");
    return capital(named.map((part) => tell(`board.score.${part}`, { points: signed(score[part]) })).join(tell("board.separator")));
  });
}

const signed = (points: number): string => (points < 0 ? `−${-points}` : String(points));
