import { expect, it } from "vitest";
import { face as atlantis } from "../src/games/atlantis/face";
import { face as maunaKea } from "../src/games/mauna-kea/face";
import type { Face, View } from "../src/board/face";
import atlantisSentences from "../src/generated/sentences/atlantis.en";
import maunaKeaSentences from "../src/generated/sentences/mauna-kea.en";
import type { Label } from "../src/generated/messages";
import atlantisWords from "../src/games/atlantis/words.en";
import maunaKeaWords from "../src/games/mauna-kea/words.en";
import { say, type Sentences } from "../src/lib/words";
import { turnText } from "../src/lib/turn_text";
import type { TableModel } from "../src/table/table_model.svelte";
import { useLanguage, withTexts } from "../src/texts/index.svelte";

const label = (key: string, target: string, details: Label["details"] = {}): Label =>
  ({ key: `action.${key}`, targets: target ? [target] : [], details, action: 0, text: "" }) as Label;

async function text(face: Face, sentences: Sentences, turn: Label[]): Promise<string> {
  globalThis.document = { documentElement: {} } as Document;
  await useLanguage("en");
  await withTexts(["more"], () => Promise.resolve());
  const view = { sentences, scene: { pieces: [], choices: [] }, seats: [] } as unknown as View;
  const sentence = ({ key, details }: { key: string; details: Label["details"] }) => say(sentences, key, details);
  return turnText({ gameText: { face, sentence }, position: {}, viewOf: () => view } as unknown as TableModel, turn);
}

it("a turn of Mauna Kea names tiles by their points and only the last of several steps", async () => {
  const turn = [
    label("tile", "tile-1-2", { number: 2, points: 1, tile: "jlll1" }),
    label("space", "a6", { space: "a6" }),
    label("turn", "a6", { space: "a6", turns: 1, terrain: "JLLL" }),
    label("spend", "tile-1-1", { number: 1, points: 3, tile: "jjjj3" }),
    label("explorer", "explorer-1-3", { number: 3, cell: "e6nw" }),
    label("north", "e5sw", { cell: "e5sw", cost: 1 }),
    label("west", "d5se", { cell: "d5se", cost: 1 }),
    label("take.white", "artefact-1"),
    label("spend", "tile-1-1", { number: 1, points: 1, tile: "jlll1" }),
    label("north", "d5ne", { cell: "d5ne", cost: 1 }),
    label("west", "d5nw", { cell: "d5nw", cost: 1 }),
    label("end_play", "", { unused: 0 }),
  ];
  expect(await text(maunaKea, { ...maunaKeaSentences, ...maunaKeaWords }, turn)).toBe(
    "1-point tile: lay it on a6 (jungle and lake above lake and lake); spend a 3-point tile; explorer 3 on e6nw: go to d5se; take a white artefact; spend a 1-point tile; go to d5nw; stop here",
  );
});

it("a person is named before it flees only if there are several", async () => {
  const sentences = { ...atlantisSentences, ...atlantisWords };
  const sink = label("sink", "f9", { space: "f9" });
  const flee = label("flee", "d5", { space: "d5" });
  expect(await text(atlantis, sentences, [sink, flee])).toBe("Sink f9; move its occupant to d5");
  expect(await text(atlantis, sentences, [sink, label("relocate", "R3", { person: "R3" }), flee])).toBe("Sink f9; R3: move to d5");
});
