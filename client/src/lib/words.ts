import type { Happening, Seat } from "../generated/messages";

/** Details of an event that are seats; sentences show the player's name instead. */
const SEAT_DETAILS = new Set(["seat", "other"]);

export type Sentences = Record<string, string>;

/** A sentence with its parameters filled in; an unknown key is shown as it is. Names of this table
 * ("name.w1") replace those of the notation. */
export function say(sentences: Sentences, key: string, details: Record<string, unknown> = {}): string {
  const sentence = sentences[key];
  if (sentence === undefined) return key;
  return sentence.replace(/\{\{|\}\}|\{(\w+)\}/g, (found, name: string | undefined) => {
    if (name === undefined) return found[0]!;
    return nameOf(sentences, details[name] ?? found);
  });
}

/** Lists one or several names, as used at this table. */
export const nameOf = (sentences: Sentences, things: unknown): string =>
  [things].flat().join(", ").split(", ").map((each) => sentences[`name.${each}`] ?? each).join(", ");

export function tell(sentences: Sentences, happening: Happening, seats: readonly Seat[]): string {
  const details = Object.fromEntries(
    Object.entries(happening.details).map(([name, value]) => [
      name,
      SEAT_DETAILS.has(name) && typeof value === "number" ? (seats[value]?.name ?? value + 1) : value,
    ]),
  );
  return capital(say(sentences, happening.key, details));
}

/** Capitalizes a sentence for a button: sentences for actions start in lower case. */
export function capital(text: string): string {
  // Names of spaces and pieces ("w3") keep their case.
  if (/^[a-z]\d/.test(text)) return text;
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** A label and the description of its place, without what both say. */
export function together(label: string, place: string): string {
  const [said, there] = [label.toLowerCase(), place.toLowerCase()];
  if (said.includes(there)) return label;
  if (there.startsWith(said)) return capital(place);
  const [name, ...parts] = place.split(", ");
  return `${label}. ${capital(said.endsWith(` ${name}`) && parts.length > 0 ? parts.join(", ") : place)}`;
}

/** Numbers as a sum: "3 + 2 − 1". */
export const asSum = (parts: readonly number[]): string =>
  parts.map((part, index) => (part < 0 ? `− ${-part}` : index > 0 ? `+ ${part}` : `${part}`)).join(" ");
