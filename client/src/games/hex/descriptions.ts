import type { TextLine, View } from "../../board/face";
import { settings } from "../../lib/settings.svelte";
import { capital, nameOf, say } from "../../lib/words";
import type { Piece } from "../../generated/messages";
import { byCell } from "./geometry";

type Describe = (piece: Piece, view: View) => string;

/** People aboard are listed with their boat. */
const told = (pieces: readonly Piece[]): Piece[] => pieces.filter((piece) => !piece.properties["boat"]);

function kindOf(cell: { kind: string; properties: Record<string, unknown> }, view: View): string {
  const kind = cell.properties["lake"] === true ? "lake" : cell.kind;
  const shore = cell.properties["exit"] ?? cell.properties["landing"];
  return shore
    ? say(view.sentences, "board.exit", { island: shore })
    : say(view.sentences, `board.${kind}`, { island: (cell as { id?: string }).id });
}

/** The description of a cell: its name, its kind, its content. */
export function describeCell(id: string, view: View, describe: Describe): string {
  const cell = view.scene.cells.find((found) => found.id === id);
  if (!cell) return "";
  const there = told(view.scene.pieces.filter((piece) => piece.cell === id)).map((piece) => describe(piece, view));
  return [nameOf(view.sentences, id), kindOf(cell, view), ...there].join(", ");
}

/** Whether a cell is on one of the corner islands. */
export const isSaved = (piece: Piece, view: View): boolean =>
  view.scene.cells.some((cell) => cell.id === piece.cell && cell.properties["exits"] !== undefined);

/** The name of a boat, a creature or a person; `who` is the word for people. */
export function describePiece(piece: Piece, view: View, who: string): string {
  const text = (key: string, details: Record<string, unknown> = {}) => say(view.sentences, key, details);
  const { kind, properties, cell: space } = piece;
  if (kind === "boat") {
    const crew = properties["crew"] as string[];
    const captains = (properties["control"] as number[]).map((seat) => view.seats[seat]?.name ?? "");
    const control = new Intl.ListFormat(settings.language).format(captains);
    const what = text("action.boat", { boat: properties["number"] });
    return text(crew.length === 0 ? "board.boat.empty" : "board.boat.crew", { what, space, crew, control });
  }
  if (piece.seat === null) return text("board.there", { what: text(`action.${kind}`, { number: piece.id.split("-")[1] }), space });
  const aboard = properties["boat"];
  const how = space.startsWith("lost") ? "lost" : isSaved(piece, view) ? "saved" : aboard ? "aboard" : properties["swimming"] ? "swims" : "stands";
  const seat = view.seats[piece.seat]?.name ?? "";
  return text(`board.person.${how}`, { what: who, seat, space, boat: String(aboard ?? "").slice(5) });
}

/** The text board: the step, the land, the players with their details, the spaces. */
export function boardLines(view: View, describe: Describe, left: string, more: (seat: number) => string[] = () => []): TextLine[] {
  const text = (key: string, details: Record<string, unknown> = {}) => say(view.sentences, key, details);
  const players = view.seats.map((seat, at) => {
    const gauge = (what: string) => (view.gauges[what] as number[])[at] ?? 0;
    const waiting = gauge("waiting");
    const parts = [
      ...(waiting > 0 ? [text("picture.waiting", { count: waiting })] : []),
      text("picture.left", { count: gauge("left") - waiting }),
      text("picture.saved", { count: gauge("saved") }),
      text("picture.lost", { count: gauge("lost") }),
    ];
    return { label: seat.name, text: capital([...parts, ...more(at)].join(", ")) };
  });
  return [
    { label: text("board.step"), text: text(String(view.gauges["phase"])) },
    { label: text("board.left"), text: left },
    ...players,
    ...cellLines(view, describe),
  ];
}

/** All occupied spaces and all remaining land. */
function cellLines(view: View, describe: Describe): TextLine[] {
  const pieces = byCell(view.scene.pieces);
  return view.scene.cells.flatMap((cell) => {
    const there = told(pieces.get(cell.id) ?? []);
    const isSpace = cell.properties["at"] !== undefined || cell.properties["exits"] !== undefined;
    if (!isSpace || (there.length === 0 && cell.kind === "sea")) return [];
    return [{ label: nameOf(view.sentences, cell.id), text: capital([kindOf(cell, view), ...there.map((piece) => describe(piece, view))].join(", ")) }];
  });
}

/** The numbers of saved and lost people per seat, if all count the same. */
export const savedAndLost = (view: View): string[] =>
  view.seats.map((_, seat) =>
    capital(["saved", "lost"].map((what) => say(view.sentences, `picture.${what}`, { count: (view.scene.gauges[what] as number[])[seat] }).replace(" ", "\u00a0")).join(", ")),
  );
