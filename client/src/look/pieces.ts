import { settings } from "../lib/settings.svelte";
import type { Colour, Language } from "../generated/messages";

export const COLOURS: readonly Colour[] = ["white", "yellow", "sky", "vermilion", "blue", "black"];

/** The outline of each colour's piece, around (0, 0), about 2 wide, so that colour is never the only
 * difference. */
export const SHAPES: Record<Colour, string> = {
  white: "M0-1A1 1 0 1 1 0 1A1 1 0 1 1 0-1Z",
  yellow: "M0-1.12 1.12.86H-1.12Z",
  sky: "M-.88-.88H.88V.88H-.88Z",
  vermilion: "M0-1.2 1.12 0 0 1.2-1.12 0Z",
  blue: "M-.54-.96H.54L1.1 0 .54.96H-.54L-1.1 0Z",
  black: "M0.00 -1.20 0.39 -0.47 1.20 -0.33 0.63 0.26 0.74 1.08 0.00 0.72 -0.74 1.08 -0.63 0.26 -1.20 -0.33 -0.39 -0.47Z",
};

/** The vertical offset that makes the letter look centred in a shape. */
export const LETTER_SHIFT: Record<Colour, number> = {
  white: 0,
  yellow: 0.28,
  sky: 0,
  vermilion: 0,
  blue: 0,
  black: 0.1,
};

/** The first letter of a name, or its number ("Diver 2"). */
export function letterOf(name: string): string {
  return /\d$/.exec(name)?.[0] ?? (Array.from(name.trim())[0] ?? "?").toLocaleUpperCase();
}

/** The letter of each colour, from its name in the current language (white, jaune, ciel, marine, blacK). */
const COLOUR_LETTERS: Record<Language, string> = { en: "WYSVBK", fr: "BJCVMN" };
export const colourLetter = (colour: Colour): string => COLOUR_LETTERS[settings.language][COLOURS.indexOf(colour)]!;

/** The letter of each player, wherever it is shown: the initials if all differ, else the letters of the
 * colours. */
export function playerLetters(seats: readonly { name: string; colour: Colour }[]): string[] {
  const initials = seats.map(({ name }) => letterOf(name));
  const known = initials.filter((_, seat) => seats[seat]!.name); // not those of open seats
  return new Set(known).size === known.length ? initials : seats.map(({ colour }) => colourLetter(colour));
}
