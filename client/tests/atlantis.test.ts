import { describe, expect, it } from "vitest";
import type { View } from "../src/board/face";
import { face } from "../src/games/atlantis/face";
import wordsEn from "../src/games/atlantis/words.en";
import wordsFr from "../src/games/atlantis/words.fr";
import { say, type Sentences } from "../src/lib/words";
import type { Seat } from "../src/generated/messages";
import en from "../src/generated/sentences/atlantis.en";
import fr from "../src/generated/sentences/atlantis.fr";

const LANGUAGES: Record<string, Sentences> = { en: { ...en, ...wordsEn }, fr: { ...fr, ...wordsFr } };
const seat = (name: string): Seat => ({
  kind: "person", name, colour: "white", bot: null, here: true, bot_plays: false, resigned: false, absent_for: 0, clock_ms: null, clock_runs: false,
});

describe.each([
  ["en", ["Saved\u00a011, lost\u00a01", "Saved\u00a00, lost\u00a09"], "R1 lands on the north-west Coral Island and is saved."],
  ["fr", ["Sauvés\u00a011, perdus\u00a01", "Sauvés\u00a00, perdus\u00a09"], "R1 débarque sur l’île de Corail nord-ouest\u00a0: sauvé\u202f!"],
] as const)("in %s", (language, notes, landing) => {
  const sentences = LANGUAGES[language]!;

  it("notes the numbers of saved and lost people with each score", () => {
    const gauges = { saved: [11, 0], lost: [1, 9] };
    const view: View = {
      scene: { cells: [], pieces: [], gauges, choices: [], paths: [] },
      gauges, seats: [seat("Ana"), seat("Ben")], me: 0, toMove: null, sentences,
    };
    expect(face.scoreNotes?.(view)).toEqual(notes);
  });

  it("names the Coral Islands by direction", () => {
    expect(say(sentences, "move.ashore_from_boat", { person: "R1", island: "nw" })).toBe(landing);
  });
});
