import type { TextLine, View } from "../../board/face";
import { capital, say } from "../../lib/words";
import type { Piece } from "../../messages";
import { byCell } from "./geometry";

type Describe = (piece: Piece, view: View) => string;

/** Those aboard are told with their boat. */
const told = (pieces: readonly Piece[]): Piece[] => pieces.filter((piece) => !piece.properties["boat"]);

function kindOf(cell: { kind: string; properties: Record<string, unknown> }, view: View): string {
  const kind = cell.properties["lake"] === true ? "lake" : cell.kind;
  const shore = cell.properties["exit"] ?? cell.properties["landing"];
  return shore
    ? say(view.sentences, "board.exit", { island: shore })
    : say(view.sentences, `board.${kind}`, { island: (cell as { id?: string }).id });
}

/** A cell in words: its name, what it is, what is on it. */
export function describeCell(id: string, view: View, describe: Describe): string {
  const cell = view.scene.cells.find((found) => found.id === id);
  if (!cell) return "";
  const there = told(view.scene.pieces.filter((piece) => piece.cell === id)).map((piece) => describe(piece, view));
  return [`${id}: ${kindOf(cell, view)}`, ...there].join(", ");
}

/** Every space that has something on it, and all that is left of the land. */
export function cellLines(view: View, describe: Describe): TextLine[] {
  const pieces = byCell(view.scene.pieces);
  return view.scene.cells.flatMap((cell) => {
    const there = told(pieces.get(cell.id) ?? []);
    const isSpace = cell.properties["at"] !== undefined || cell.properties["exits"] !== undefined;
    if (!isSpace || (there.length === 0 && cell.kind === "sea")) return [];
    return [{ label: cell.id, text: capital([kindOf(cell, view), ...there.map((piece) => describe(piece, view))].join(", ")) }];
  });
}
