import type { View } from "../../board/face";
import { COLOURS } from "../../look/pieces";
import type { Colour, Piece } from "../../messages";

/** The colours of the rules, in the order of the seats. */
const SIDES = ["white", "yellow", "sky", "vermilion"];

/** The piece of a side has the colour its player chose; a second side of a player, one that is free. */
export function sideColour(side: number, seats: readonly { colour: Colour }[]): Colour {
  const own = seats[side]?.colour;
  if (own) return own;
  const free = COLOURS.filter((colour) => !seats.some((seat) => seat.colour === colour));
  return free[side - seats.length] ?? "black";
}

export function colourOf(piece: Piece, view: View): Colour {
  const side = SIDES.indexOf(piece.properties["colour"] as string);
  return sideColour(side < 0 ? (piece.seat ?? 0) : side, view.seats);
}

/** The letter that notation gives a side, from any of its people. */
export const letterOfSide = (name: string): string => name.slice(0, 1);
