import type { View } from "../../board/face";
import { COLOURS } from "../../look/pieces";
import type { Sentences } from "../../lib/words";
import type { Colour, Piece, Seat } from "../../messages";

/** The colours of the rules, in the order of the seats. */
export const SIDES = ["white", "yellow", "sky", "vermilion"];

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

/** The letter of each colour, for the names of its people: none of a space, which begins small. */
export const LETTERS: Record<Colour, string> = { white: "W", yellow: "Y", sky: "S", vermilion: "V", blue: "B", black: "K" };

/** Notation calls people by the colours of the box, in the order of the seats. Here they are called
 * by the colours that were chosen: what a name says is what the piece looks like. */
export function shownNames(letters: string, each: number, seats: readonly Seat[]): Sentences {
  const numbers = Array.from({ length: each }, (_, index) => index + 1);
  return Object.fromEntries(
    Array.from(letters).flatMap((letter, side) =>
      numbers.map((number) => [`name.${letter}${number}`, `${LETTERS[sideColour(side, seats)]}${number}`]),
    ),
  );
}
