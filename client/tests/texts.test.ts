import { afterEach, describe, expect, it } from "vitest";
import { about as aboutEn } from "../src/games/about.en";
import { about as aboutFr } from "../src/games/about.fr";
import { drawings } from "../src/games/drawings";
import { colourLetter, COLOURS } from "../src/look/pieces";
import { settings } from "../src/lib/settings.svelte";
import { inWords, plain, readMove } from "../src/lib/typed_moves";
import { friendsEn } from "../src/texts/friends.en";
import { friendsFr } from "../src/texts/friends.fr";
import { homeEn } from "../src/texts/home.en";
import { homeFr } from "../src/texts/home.fr";
import { moreEn } from "../src/texts/more.en";
import { moreFr } from "../src/texts/more.fr";
import { wordsEn as clubsEn } from "../src/club/words.en";
import { wordsFr as clubsFr } from "../src/club/words.fr";
import { wordsEn as dealsEn } from "../src/deal/words.en";
import { wordsFr as dealsFr } from "../src/deal/words.fr";
import { wordsEn } from "../src/lesson/words.en";
import { wordsFr } from "../src/lesson/words.fr";
import { wordsEn as puzzlesEn } from "../src/puzzle/words.en";
import { wordsFr as puzzlesFr } from "../src/puzzle/words.fr";
import { youFr } from "../src/you/you.fr";
import { en } from "../src/texts/en";
import { fr } from "../src/texts/fr";
import { asSum, say, tell, together } from "../src/lib/words";
import { readPlace } from "../src/lib/route.svelte";

/** Returns all texts of a tree; text functions are called with `given`. */
function texts(tree: unknown, given: unknown = 2): string[] {
  if (typeof tree === "string") return [tree];
  if (typeof tree === "function") return [String((tree as (...given: unknown[]) => unknown)(given, 3))];
  return Object.values(tree as object).flatMap((each) => texts(each, given));
}

type Catalogue = Record<string, string>;
const FILES = import.meta.glob<Catalogue>(["../src/generated/sentences/*.ts", "../src/games/*/words.*.ts"], { eager: true, import: "default" });
const catalogues = (language: string) => Object.entries(FILES).filter(([path]) => path.endsWith(`.${language}.ts`));

/** Placeholders of chosen names, which may begin with a vowel. */
const A_NAME = ["{seat}", "{name}", "{other}", "{names}", "{seats}", "Ana"].join("|");

describe("French", () => {
  const own = (tree: object) => texts(tree, "Ana");
  const all = [...own(fr), ...own(homeFr), ...own(moreFr), ...own(friendsFr), ...own(youFr), ...own(wordsFr), ...own(puzzlesFr), ...own(dealsFr), ...own(clubsFr), ...texts(aboutFr), ...catalogues("fr").flatMap(([, each]) => Object.values(each))];

  it("is complete", () => {
    expect(catalogues("fr").map(([path]) => path.replace(".fr.", ".en."))).toEqual(catalogues("en").map(([path]) => path));
    expect(catalogues("fr").length).toBeGreaterThanOrEqual(9);
  });

  it("has no word before a name that might need elision", () => {
    expect(all.filter((text) => new RegExp(`(^|[ (])(de|que|le|la|jusque|lorsque) (${A_NAME})`, "i").test(text))).toEqual([]);
  });

  it("has non-breaking spaces before high punctuation and inside quotes", () => {
    const typed = all.map((text) => text.replace(/^\?$/, ""));
    expect(typed.filter((text) => /(?<![\u202f\u00a0])[;:!?»]|«(?![\u202f\u00a0])/.test(text))).toEqual([]);
  });

  it("uses the singular for 0 and 1", () => {
    for (const number of [0, 1]) expect(fr.seats.points(number)).toBe(`${number} point`);
    const counted = catalogues("fr").flatMap(([, each]) => Object.entries(each));
    const wrong = counted.filter(([key, text]) => /\{(points|pool|cost|bag|lava|unused)\} [a-zé]+s\b/.test(text) && !key.endsWith("many"));
    expect(wrong).toEqual([]);
  });

  it("shows no identifiers", () => {
    const shown = all.map((text) => text.replace(/\{\w+\}/g, ""));
    expect(shown.filter((text) => /[a-z]_[a-z]|greedy|\bbot\b|Option\./.test(text))).toEqual([]);
  });

  it("uses typographic apostrophes", () => {
    expect(all.filter((text) => text.includes("'"))).toEqual([]);
  });

  it("has as many texts as English", () => {
    expect(texts(fr)).toHaveLength(texts(en).length);
    expect(texts(homeFr)).toHaveLength(texts(homeEn).length);
    expect(texts(moreFr)).toHaveLength(texts(moreEn).length);
    expect(texts(friendsFr)).toHaveLength(texts(friendsEn).length);
    expect(texts(wordsFr)).toHaveLength(texts(wordsEn).length);
    expect(texts(puzzlesFr)).toHaveLength(texts(puzzlesEn).length);
    expect(texts(dealsFr)).toHaveLength(texts(dealsEn).length);
    expect(texts(clubsFr)).toHaveLength(texts(clubsEn).length);
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

  it("are filled with parameters and names of seats", () => {
    expect(say({ a: "{x} and {y}, {{braces}}" }, "a", { x: 1, y: [2, 3] })).toBe("1 and 2, 3, {braces}");
    const seats = [{ name: "Ana" }, { name: "Bo" }] as never;
    expect(tell({ e: "{seat} passes {other} on {space}" }, { key: "e", details: { seat: 1, other: 0, space: 4 } }, seats)).toBe("Bo passes Ana on 4");
  });

  it("fall back to the key if it is unknown", () => {
    expect(say({}, "nothing.there")).toBe("nothing.there");
  });
});

describe("a game in a minute", () => {
  it("has texts in both languages and drawings for every game, and takes a minute to read", () => {
    const games = ["atlantis", "deep-sea", "mauna-kea", "the-island"];
    // Aim, dangers, end, and the parts of a turn.
    const panels = (game: string) => (game === "the-island" ? 7 : 6);
    for (const each of [aboutEn, aboutFr, drawings]) expect(Object.keys(each).sort()).toEqual(games);
    for (const about of [aboutEn, aboutFr])
      for (const game of games) {
        const all = texts(about[game]);
        expect(all).toHaveLength(panels(game));
        expect(all.join(" ").length).toBeLessThan(60 * 20);
      }
    for (const game of games) expect([...drawings[game]!.turn, drawings[game]!.aim, drawings[game]!.fear, drawings[game]!.end].filter(({ spaces }) => spaces.length > 0)).toHaveLength(panels(game));
  });
});

describe("typed moves", () => {
  const words = (game: string) => FILES[`../src/generated/sentences/${game}.later.fr.ts`]!;

  it("are translated phrase by phrase", () => {
    expect(inWords(words("deep-sea"), "turn back")).toBe("demi-tour");
    expect(inWords(words("deep-sea"), "put 2")).toBe("poser 2");
    expect(inWords(words("mauna-kea"), "card earthquake")).toBe("carte séisme");
    expect(inWords(words("the-island"), "to f7")).toBe("vers f7");
    expect(inWords({}, "to f7")).toBe("to f7");
  });

  it("may be abbreviated and follow one another", () => {
    const offered = (...notations: string[]) => notations.map((choice) => ({ choice, names: [plain(choice)] }));
    const pieces = offered("explorer W4", "explorer W10", "boat 2", "stop");
    expect(readMove("W4 to f5", pieces, "to")).toEqual({ choice: "explorer W4", rest: "to f5" });
    expect(readMove("explorer w4, f5", pieces, "to")).toEqual({ choice: "explorer W4", rest: "f5" });
    expect(readMove("boat 2", pieces, "to")).toEqual({ choice: "boat 2", rest: "" });
    expect(readMove("f5", pieces, "to")).toBeNull();
    const places = offered("to f5", "swim f6", "board 5", "ashore nw");
    expect(readMove("f5", places, "to")?.choice).toBe("to f5");
    expect(readMove("to f6", places, "to")?.choice).toBe("swim f6");
    expect(readMove("vers nw", places, "vers")?.choice).toBe("ashore nw");
    expect(readMove("g5", offered("remove g5", "remove g6"), "to")?.choice).toBe("remove g5");
    expect(readMove("5", offered("board 5", "put 5"), "to")).toBeNull(); // two end so
  });

  it("are compared without accents", () => {
    expect(plain("  Carte  SÉISME ")).toBe("carte seisme");
  });
});

describe("the label of a place", () => {
  it("says nothing twice", () => {
    expect(together("Explorer A4 of Ana on f5", "explorer A4 of Ana on f5")).toBe("Explorer A4 of Ana on f5");
    expect(together("Explorer A4", "explorer A4 of Ana on f5")).toBe("Explorer A4 of Ana on f5");
    expect(together("Swim to f5", "f5, sea, shark 1 on f5")).toBe("Swim to f5. Sea, shark 1 on f5");
    expect(together("Remove this tile", "f5, beach")).toBe("Remove this tile. f5, beach");
    expect(together("Stop", "")).toBe("Stop");
  });
});

describe("the letters of the colours", () => {
  afterEach(() => settings.set({ language: "en" }));

  it("are unique letters of their names", () => {
    for (const [language, names] of [["en", en.colours], ["fr", fr.colours]] as const) {
      settings.set({ language });
      const own = COLOURS.map((colour) => [colour, colourLetter(colour)] as const);
      expect(new Set(own.map(([, letter]) => letter)).size).toBe(own.length);
      for (const [colour, letter] of own) {
        // The name includes the shape: first word in French, last word in English.
        const said = names[colour as keyof typeof names].split(" ").slice(...(language === "fr" ? [1] : [0, -1]));
        expect(said.some((word) => word.toUpperCase().startsWith(letter) || word.toUpperCase().endsWith(letter))).toBe(true);
      }
    }
  });
});

describe("addresses", () => {
  const place = (pathname: string, hash = "") => readPlace({ pathname, search: "", hash });

  it("lead to the home page, a table, a moment of its game or a seat", () => {
    expect(place("/")).toEqual({ page: "home" });
    expect(place("/t/abcdefgh12")).toEqual({ page: "table", id: "abcdefgh12", invitation: null, moment: null, carried: null });
    expect(place("/t/abcdefgh12", "#37")).toMatchObject({ moment: 37 });
    expect(place("/t/abcdefgh12", "#seat=aaaaaaaaaaaaaaaaaaaaaaaa")).toMatchObject({ invitation: "aaaaaaaaaaaaaaaaaaaaaaaa" });
    expect(place("/t/short")).toEqual({ page: "missing" });
    expect(place("/wp-admin")).toEqual({ page: "missing" });
  });
});

it("a score is written as a sum with signs", () => {
  expect(asSum([3, 2, -1, 1])).toBe("3 + 2 − 1 + 1");
  expect(asSum([-1])).toBe("− 1");
  expect(asSum([])).toBe("");
});
