import type { Sentences } from "./words";

const PREFIX = "typed.";
/** The maximal number of words in a phrase of the notation ("turn back"). */
const LONGEST = 2;

/** Normalizes text for comparison: lower case, single spaces, no accents. */
export const plain = (text: string): string =>
  text.trim().toLowerCase().replace(/\s+/g, " ").normalize("NFD").replace(/\p{M}/gu, "");

/** A move in notation, whose words are English, in the words of the sentences' language. */
export function inWords(sentences: Sentences, notation: string): string {
  const given = notation.split(" ");
  const found: string[] = [];
  while (given.length > 0) {
    let length = Math.min(LONGEST, given.length);
    while (length > 1 && !(PREFIX + given.slice(0, length).join(" ") in sentences)) length--;
    const phrase = given.splice(0, length).join(" ");
    found.push(sentences[PREFIX + phrase] ?? phrase);
  }
  return found.join(" ");
}
