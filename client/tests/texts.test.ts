import { describe, expect, it } from "vitest";
import deepSeaEn from "../src/sentences/deep-sea.en";
import deepSeaFr from "../src/sentences/deep-sea.fr";
import atlantisEn from "../src/sentences/atlantis.en";
import atlantisFr from "../src/sentences/atlantis.fr";
import islandEn from "../src/sentences/the-island.en";
import islandFr from "../src/sentences/the-island.fr";
import tablesFr from "../src/sentences/tables.fr";
import wordsEn from "../src/games/deep-sea/words.en";
import wordsFr from "../src/games/deep-sea/words.fr";
import atlantisWordsEn from "../src/games/atlantis/words.en";
import atlantisWordsFr from "../src/games/atlantis/words.fr";
import islandWordsEn from "../src/games/the-island/words.en";
import islandWordsFr from "../src/games/the-island/words.fr";
import { homeEn } from "../src/texts/home.en";
import { homeFr } from "../src/texts/home.fr";
import { moreEn } from "../src/texts/more.en";
import { moreFr } from "../src/texts/more.fr";
import { en } from "../src/texts/en";
import { fr } from "../src/texts/fr";
import { asSum, say, tell } from "../src/lib/words";
import { readPlace } from "../src/lib/route.svelte";

/** Every text in a tree of texts, functions called with something. */
function texts(tree: unknown): string[] {
  if (typeof tree === "string") return [tree];
  if (typeof tree === "function") return [String((tree as (...given: unknown[]) => unknown)(2, 3))];
  return Object.values(tree as object).flatMap(texts);
}

const LATER = import.meta.glob<Record<string, string>>("../src/sentences/*.later.fr.ts", { eager: true, import: "default" });

describe("French", () => {
  const later = Object.values(LATER).flatMap((each) => Object.values(each));
  const all = [...texts(fr), ...texts(homeFr), ...texts(moreFr), ...later, ...texts(wordsFr), ...Object.values(deepSeaFr), ...Object.values(tablesFr),
    ...[islandFr, islandWordsFr, atlantisFr, atlantisWordsFr].flatMap((each) => Object.values(each as Record<string, string>))];

  it("has no plain space before high punctuation or inside quotes", () => {
    expect(all.filter((text) => / [;:!?»]|« /.test(text))).toEqual([]);
  });

  it("writes apostrophes as such", () => {
    expect(all.filter((text) => text.includes("'"))).toEqual([]);
  });

  it("says everything that English says", () => {
    expect(texts(fr)).toHaveLength(texts(en).length);
    expect(texts(homeFr)).toHaveLength(texts(homeEn).length);
    expect(texts(moreFr)).toHaveLength(texts(moreEn).length);
  });
});

describe("sentences", () => {
  it("use the same parameters in both languages", () => {
    const parameters = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const [one, other] of [[deepSeaEn, deepSeaFr], [wordsEn, wordsFr], [islandEn, islandFr], [islandWordsEn, islandWordsFr], [atlantisEn, atlantisFr], [atlantisWordsEn, atlantisWordsFr]] as [Record<string, string>, Record<string, string>][])
      for (const key of Object.keys(one)) {
        const asked = new Set([...parameters(one[key]!), ...parameters(other[key]!)]);
        expect(parameters(other[key]!).every((each) => asked.has(each))).toBe(true);
        expect(other[key]).not.toBe("");
      }
  });

  it("fill in parameters, and names for seats", () => {
    expect(say({ a: "{x} and {y}, {{braces}}" }, "a", { x: 1, y: [2, 3] })).toBe("1 and 2, 3, {braces}");
    const seats = [{ name: "Ana" }, { name: "Bo" }] as never;
    expect(tell({ e: "{seat} passes {other} on {space}" }, { key: "e", details: { seat: 1, other: 0, space: 4 } }, seats)).toBe("Bo passes Ana on 4");
  });

  it("show an unknown key as it is", () => {
    expect(say({}, "nothing.there")).toBe("nothing.there");
  });
});

describe("addresses", () => {
  const place = (pathname: string, hash = "") => readPlace({ pathname, hash });

  it("lead home, to a table, to a moment of it, or to a seat", () => {
    expect(place("/")).toEqual({ page: "home" });
    expect(place("/t/abcdefgh12")).toEqual({ page: "table", id: "abcdefgh12", invitation: null, moment: null });
    expect(place("/t/abcdefgh12", "#37")).toMatchObject({ moment: 37 });
    expect(place("/t/abcdefgh12", "#seat=aaaaaaaaaaaaaaaaaaaaaaaa")).toMatchObject({ invitation: "aaaaaaaaaaaaaaaaaaaaaaaa" });
    expect(place("/t/short")).toEqual({ page: "home" });
  });
});

it("a score is told as a sum, with what was lost", () => {
  expect(asSum([3, 2, -1, 1])).toBe("3 + 2 − 1 + 1");
  expect(asSum([-1])).toBe("− 1");
  expect(asSum([])).toBe("");
});
