import type { Face } from "../board/face";
import type { Piece } from "../generated/messages";

/** Everything about a piece but its name: interchangeable pieces have the same look. */
export const lookOf = (piece: Piece, face: Face | null | undefined): string =>
  face?.interchangeable?.includes(piece.kind)
    ? JSON.stringify({ ...piece, id: 0, properties: { ...piece.properties, number: 0, chips: 0 } })
    : piece.id;

/** Whether the player may remember a value that the board does not show. */
export const isRemembered = (piece: Piece): boolean => piece.properties["value"] === null;
