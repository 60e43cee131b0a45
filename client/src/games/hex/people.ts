import type { View } from "../../board/face";
import { settings } from "../../lib/settings.svelte";
import type { Sentences } from "../../lib/words";
import { COLOURS } from "../../look/pieces";
import type { Colour, Language, Piece, Seat } from "../../generated/messages";

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

/** The letter of each colour for the names of its people, from its name in the current language (white,
 * jaune, ciel, marine, blacK). Upper case, because names of spaces start with a lower-case letter. */
const LETTERS: Record<Language, Record<Colour, string>> = {
  en: { white: "W", yellow: "Y", sky: "S", vermilion: "V", blue: "B", black: "K" },
  fr: { white: "B", yellow: "J", sky: "C", vermilion: "V", blue: "M", black: "N" },
};
export const letters = (): Record<Colour, string> => LETTERS[settings.language];

/** The notation names people by the box's colours in seat order. The page names them by the chosen
 * colours, so that a name matches its piece. */
export function shownNames(inNotation: string, each: number, seats: readonly Seat[]): Sentences {
  const numbers = Array.from({ length: each }, (_, index) => index + 1);
  const own = letters();
  return Object.fromEntries(
    Array.from(inNotation).flatMap((letter, side) => {
      const shown = own[sideColour(side, seats)];
      return [
        ...numbers.map((number) => [`name.${letter}${number}`, `${shown}${number}`]),
        // A colour alone, as in a written move.
        [`name.${SIDES[side]!}`, shown],
      ];
    }),
  );
}
