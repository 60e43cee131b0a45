import type { TextLine, View } from "../../board/face";
import { capital, say } from "../../lib/words";
import type { Cell, Piece } from "../../generated/messages";

/** The name of a cell or a piece: the sentence of its kind ("cell.spot", "piece.shell") with its number
 * and properties, or its name in the scene. */
export function named(what: "cell" | "piece", thing: Cell | Piece, { sentences }: View): string {
  const key = `${what}.${thing.kind}`;
  const number = /\d+$/.exec(thing.id)?.[0] ?? "";
  return key in sentences ? say(sentences, key, { ...thing.properties, number }) : thing.id;
}

/** The visible properties of a piece. */
export const valueOf = (piece: Piece): string =>
  Object.values(piece.properties)
    .filter((value) => typeof value === "number" || typeof value === "string")
    .join(" ");

export function describe(piece: Piece, view: View): string {
  const owner = piece.seat === null ? "" : (view.seats[piece.seat]?.name ?? "");
  const seen = valueOf(piece);
  return [named("piece", piece, view) + (seen ? `: ${seen}` : ""), ...(owner ? [owner] : [])].join(", ");
}

const contents = (id: string, view: View): string[] =>
  view.scene.pieces.filter((piece) => piece.cell === id).map((piece) => describe(piece, view));

export function describeCell(id: string, view: View): string {
  const cell = view.scene.cells.find((found) => found.id === id);
  return cell ? [capital(named("cell", cell, view)), ...contents(id, view)].join("; ") : "";
}

/** The description of every cell with its content. */
export const textBoard = (view: View): TextLine[] =>
  view.scene.cells.map((cell) => ({
    label: capital(named("cell", cell, view)),
    text: contents(cell.id, view).join("; ") || "–",
  }));
