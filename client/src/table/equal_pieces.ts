import type { Face } from "../board/face";
import type { Piece } from "../generated/messages";

/** Properties that only name a piece. */
const NAMES = ["number", "chips"];

/** Everything about a piece but its name: interchangeable pieces have the same look. */
export function lookOf(piece: Piece, face: Face | null | undefined): string {
  if (!face?.interchangeable?.includes(piece.kind)) return piece.id;
  const { kind, cell, seat, properties } = piece;
  return JSON.stringify([kind, cell, seat, Object.entries(properties).filter(([name]) => !NAMES.includes(name))]);
}

/** Whether the player may remember a value that the board does not show. */
export const isRemembered = (piece: Piece): boolean => piece.properties["value"] === null;
