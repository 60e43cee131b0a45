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

/** A choice and its names in comparable form (`plain`), notation first. */
export interface Named<Thing> {
  choice: Thing;
  names: readonly string[];
}

/** Finds the choice that a text names: one of its names, or the end of its notation if no other choice ends
 * so ("g5" for "remove g5"). `to` introduces a destination, however the piece gets there. */
function choiceOf<Thing>(words: readonly string[], offered: readonly Named<Thing>[], to: string): Thing | undefined {
  const text = words.join(" ");
  const exact = offered.find(({ names }) => names.includes(text));
  if (exact) return exact.choice;
  const end = ` ${words[0] === to ? words.slice(1).join(" ") : text}`;
  const ending = offered.filter(({ names }) => names[0]!.endsWith(end));
  return ending.length === 1 ? ending[0]!.choice : undefined;
}

/** Reads a typed move: the first choice that it names, and the words for the choices after it, as in
 * "W4 to f5". */
export function readMove<Thing>(typed: string, offered: readonly Named<Thing>[], to: string): { choice: Thing; rest: string } | null {
  const words = plain(typed.replace(/,/g, " ")).split(" ");
  for (let length = words.length; length > 0; length--) {
    const choice = choiceOf(words.slice(0, length), offered, to);
    if (choice) return { choice, rest: words.slice(length).join(" ") };
  }
  return null;
}
