import { afterEach, describe, expect, it } from "vitest";
import { about as aboutEn } from "../src/games/about.en";
import { about as aboutFr } from "../src/games/about.fr";
import { drawings } from "../src/games/drawings";
import { letters } from "../src/games/hex/people";
import { settings } from "../src/lib/settings.svelte";
import { inWords, plain } from "../src/lib/typed_moves";
import { homeEn } from "../src/texts/home.en";
import { homeFr } from "../src/texts/home.fr";
import { moreEn } from "../src/texts/more.en";
import { moreFr } from "../src/texts/more.fr";
import { wordsEn } from "../src/lesson/words.en";
import { wordsFr } from "../src/lesson/words.fr";
import { wordsEn as puzzlesEn } from "../src/puzzle/words.en";
import { wordsFr as puzzlesFr } from "../src/puzzle/words.fr";
import { en } from "../src/texts/en";
import { fr } from "../src/texts/fr";
import { asSum, say, tell } from "../src/lib/words";
import { readPlace } from "../src/lib/route.svelte";

/** Every text in a tree of texts, functions called with numbers or with something else. */
function texts(tree: unknown, given: unknown = 2): string[] {
  if (typeof tree === "string") return [tree];
  if (typeof tree === "function") return [String((tree as (...given: unknown[]) => unknown)(given, 3))];
  return Object.values(tree as object).flatMap((each) => texts(each, given));
}

type Catalogue = Record<string, string>;
const FILES = import.meta.glob<Catalogue>(["../src/generated/sentences/*.ts", "../src/games/*/words.*.ts"], { eager: true, import: "default" });
const catalogues = (language: string) => Object.entries(FILES).filter(([path]) => path.endsWith(`.${language}.ts`));

/** Names that people choose: whether one begins with a vowel is not known. */
const A_NAME = ["{seat}", "{name}", "{other}", "{names}", "{seats}", "Ana"].join("|");

describe("French", () => {
  const own = (tree: object) => texts(tree, "Ana");
  const all = [...own(fr), ...own(homeFr), ...own(moreFr), ...own(wordsFr), ...own(puzzlesFr), ...texts(aboutFr), ...catalogues("fr").flatMap(([, each]) => Object.values(each))];

  it("is complete", () => {
    expect(catalogues("fr").map(([path]) => path.replace(".fr.", ".en."))).toEqual(catalogues("en").map(([path]) => path));
    expect(catalogues("fr").length).toBeGreaterThanOrEqual(9);
  });

  it("has nothing before a name that would have to be elided", () => {
    expect(all.filter((text) => new RegExp(`(^|[ (])(de|que|le|la|jusque|lorsque) (${A_NAME})`, "i").test(text))).toEqual([]);
  });

  it("has a space that does not break before high punctuation and inside quotes", () => {
    const typed = all.map((text) => text.replace(/^\?$/, ""));
    expect(typed.filter((text) => /(?<![\u202f\u00a0])[;:!?»]|«(?![\u202f\u00a0])/.test(text))).toEqual([]);
  });

  it("counts no single thing as several, and nothing neither", () => {
    for (const number of [0, 1]) expect(fr.seats.points(number)).toBe(`${number} point`);
    const counted = catalogues("fr").flatMap(([, each]) => Object.entries(each));
    const wrong = counted.filter(([key, text]) => /\{(points|pool|cost|bag|lava|unused)\} [a-zé]+s\b/.test(text) && !key.endsWith("many"));
    expect(wrong).toEqual([]);
  });

  it("shows no names that only programs use", () => {
    const shown = all.map((text) => text.replace(/\{\w+\}/g, ""));
    expect(shown.filter((text) => /[a-z]_[a-z]|greedy|\bbot\b|Option\./.test(text))).toEqual([]);
  });

  it("writes apostrophes as such", () => {
    expect(all.filter((text) => text.includes("'"))).toEqual([]);
  });

  it("says everything that English says", () => {
    expect(texts(fr)).toHaveLength(texts(en).length);
    expect(texts(homeFr)).toHaveLength(texts(homeEn).length);
    expect(texts(moreFr)).toHaveLength(texts(moreEn).length);
    expect(texts(wordsFr)).toHaveLength(texts(wordsEn).length);
    expect(texts(puzzlesFr)).toHaveLength(texts(puzzlesEn).length);
  });
});

describe("sentences", () => {
  it("use the same parameters in both languages", () => {
    const parameters = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const [path, english] of catalogues("en")) {
      const french = FILES[path.replace(".en.", ".fr.")]!;
      expect(Object.keys(french).sort()).toEqual(Object.keys(english).sort());
      for (const [key, text] of Object.entries(english)) expect([key, parameters(french[key]!)]).toEqual([key, parameters(text)]);
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

describe("a game in a minute", () => {
  it("tells and draws every game in both languages, and is read in a minute", () => {
    const games = ["atlantis", "deep-sea", "mauna-kea", "the-island"];
    for (const each of [aboutEn, aboutFr, drawings]) expect(Object.keys(each).sort()).toEqual(games);
    for (const about of [aboutEn, aboutFr])
      for (const game of games) {
        const all = texts(about[game]);
        expect(all).toHaveLength(6);
        expect(all.join(" ").length).toBeLessThan(60 * 20);
      }
    for (const game of games) expect([...drawings[game]!.turn, drawings[game]!.aim, drawings[game]!.fear, drawings[game]!.end].filter(({ spaces }) => spaces.length > 0)).toHaveLength(6);
  });
});

describe("moves that are written", () => {
  const words = (game: string) => FILES[`../src/generated/sentences/${game}.later.fr.ts`]!;

  it("are in the language shown, phrase by phrase", () => {
    expect(inWords(words("deep-sea"), "turn back")).toBe("demi-tour");
    expect(inWords(words("deep-sea"), "put 2")).toBe("poser 2");
    expect(inWords(words("mauna-kea"), "card earthquake")).toBe("carte séisme");
    expect(inWords(words("the-island"), "to f7")).toBe("vers f7");
    expect(inWords({}, "to f7")).toBe("to f7");
  });

  it("are read with and without accents", () => {
    expect(plain("  Carte  SÉISME ")).toBe("carte seisme");
  });
});

describe("the letters of the colours", () => {
  afterEach(() => settings.set({ language: "en" }));

  it("are letters of their names, each its own", () => {
    for (const [language, names] of [["en", en.colours], ["fr", fr.colours]] as const) {
      settings.set({ language });
      const own = Object.entries(letters());
      expect(new Set(own.map(([, letter]) => letter)).size).toBe(own.length);
      for (const [colour, letter] of own) {
        // The name says the shape as well, which comes first in French and last in English.
        const said = names[colour as keyof typeof names].split(" ").slice(...(language === "fr" ? [1] : [0, -1]));
        expect(said.some((word) => word.toUpperCase().startsWith(letter) || word.toUpperCase().endsWith(letter))).toBe(true);
      }
    }
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
