import type { View } from "../../board/face";
import { settings } from "../../lib/settings.svelte";
import type { Sentences } from "../../lib/words";
import { COLOURS } from "../../look/pieces";
import type { Colour, Language, Piece, Seat } from "../../generated/messages";

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

/** The letter of each colour, for the names of its people: that of its name in the language shown
 * (white, jaune, ciel, marine, blacK), and none of a space, which begins small. */
const LETTERS: Record<Language, Record<Colour, string>> = {
  en: { white: "W", yellow: "Y", sky: "S", vermilion: "V", blue: "B", black: "K" },
  fr: { white: "B", yellow: "J", sky: "C", vermilion: "V", blue: "M", black: "N" },
};
export const letters = (): Record<Colour, string> => LETTERS[settings.language];

/** Notation calls people by the colours of the box, in the order of the seats. Here they are called
 * by the colours that were chosen: what a name says is what the piece looks like. */
export function shownNames(inNotation: string, each: number, seats: readonly Seat[]): Sentences {
  const numbers = Array.from({ length: each }, (_, index) => index + 1);
  const own = letters();
  return Object.fromEntries(
    Array.from(inNotation).flatMap((letter, side) => {
      const shown = own[sideColour(side, seats)];
      return [
        ...numbers.map((number) => [`name.${letter}${number}`, `${shown}${number}`]),
        // A colour by itself, as in a move that is written.
        [`name.${SIDES[side]!}`, shown],
      ];
    }),
  );
}
