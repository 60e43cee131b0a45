import type { View } from "../../board/face";
import type { Sentences } from "../../lib/words";
import { COLOURS, colourLetter, letterOf } from "../../look/pieces";
import type { Colour, Piece, Seat } from "../../generated/messages";

/** The colours in the notation, in seat order. */
export const SIDES = ["white", "yellow", "sky", "vermilion"];

/** A side has the colour that its player chose; a player's second side has a free colour. */
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

/** The letter of each side for the names of its people: the initials of the players, if they are letters and
 * no two sides share one, else the letters of the colours. A player's second side has the letter of its colour.
 * Upper case, because names of spaces start with a lower-case letter. */
export function sideLetters(seats: readonly Seat[], sides = seats.length): string[] {
  const colours = Array.from({ length: sides }, (_, side) => colourLetter(sideColour(side, seats)));
  const initials = [...seats.map(({ name }) => letterOf(name)), ...colours.slice(seats.length)];
  const clear = initials.every((each) => /^\p{Lu}$/u.test(each)) && new Set(initials).size === sides;
  return clear ? initials : colours;
}

/** The notation names people by letters in seat order. The page names them by the letters of their players,
 * as on the board. */
export function shownNames(inNotation: string, each: number, letters: readonly string[]): Sentences {
  const numbers = Array.from({ length: each }, (_, index) => index + 1);
  return Object.fromEntries(
    letters.flatMap((letter, side) => [
      ...numbers.map((number) => [`name.${inNotation[side]!}${number}`, `${letter}${number}`]),
      // A colour alone, as in a written move.
      [`name.${SIDES[side]!}`, letter],
    ]),
  );
}
