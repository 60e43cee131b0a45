import { describe, expect, it } from "vitest";
import type { View } from "../src/board/face";
import { face } from "../src/games/mauna-kea/face";
import { islandLayout } from "../src/games/mauna-kea/geometry";
import { cellAt, isCell, isSpace } from "../src/games/mauna-kea/grid";
import { paths } from "../src/games/mauna-kea/paper";
import { cardSign, CARDS } from "../src/games/mauna-kea/signs";
import wordsEn from "../src/games/mauna-kea/words.en";
import wordsFr from "../src/games/mauna-kea/words.fr";
import type { Cell, Piece, Seat } from "../src/generated/messages";
import sentencesEn from "../src/generated/sentences/mauna-kea.en";
import sentencesFr from "../src/generated/sentences/mauna-kea.fr";
import { colours, contrast, type Theme } from "./colours";

const SCREENS: [number, number][] = [[320, 420], [360, 375], [375, 402], [390, 530], [390, 300], [820, 500], [912, 627], [1800, 900], [600, 1200]];
const QUARTERS = ["nw", "ne", "sw", "se"];

const seat = (name: string): Seat => ({
  kind: "person", name, colour: "white", bot: null, here: true, bot_plays: false,
  resigned: false, absent_for: 0, clock_ms: null, clock_runs: false,
});
const piece = (id: string, kind: string, cell: string, owner: number | null = null, properties: Piece["properties"] = {}): Piece => ({
  id, kind, cell, seat: owner, properties,
});

function view(seats: number, expert: boolean, me: number | null = 0): View {
  const spaces = Array.from("abcdefghi").flatMap((column) => Array.from("123456789", (row) => column + row));
  const cells: Cell[] = spaces.flatMap((id) =>
    id === "e5"
      ? [{ id, kind: "volcano", properties: {} }]
      : id === "a1"
        ? [{ id, kind: "empty", properties: {} }]
        : [
            { id, kind: "tile", properties: { terrain: "JLMJ" } },
            ...QUARTERS.map((quarter, index) => ({ id: id + quarter, kind: ["jungle", "lake", "mountain", "jungle"][index]!, properties: {} })),
          ],
  );
  cells.push(
    { id: "cove-n1", kind: "cove", properties: { cells: ["b1nw", "b1ne", "c1nw", "c1ne"] } },
    { id: "cove-e1", kind: "cove", properties: { cells: ["i2ne", "i2se", "i3ne", "i3se"] } },
    { id: "cove-e2", kind: "cove", properties: { cells: ["i7ne", "i7se", "i8ne", "i8se"] } },
    { id: "bag", kind: "bag", properties: {} },
    { id: "gone", kind: "gone", properties: {} },
  );
  const pieces: Piece[] = [
    piece("bag", "bag", "bag", null, { tiles: ["jjml2", "north-fork"], counts: [5, 1] }),
    piece("boat-1", "boat", "cove-n1", null, { colour: "brown", places: 3 }),
    piece("artefact-1", "artefact", "d5nw", null, { colour: "white" }),
    piece("artefact-2", "artefact", "d5nw", 0, { colour: "black", carried_by: "explorer-1-1" }),
    piece("artefact-3", "artefact", "gone", null, { colour: "grey" }),
  ];
  for (let number = 1; number <= seats; number++) {
    for (const kind of ["front", "saved", "cards"]) cells.push({ id: `${kind}${number}`, kind, properties: {} });
    pieces.push(
      piece(`explorer-${number}-1`, "explorer", number === 1 ? "d5nw" : "f5se", number - 1, { number: 1, load: number === 1 ? ["black"] : [] }),
      piece(`explorer-${number}-2`, "explorer", `saved${number}`, number - 1, { number: 2, load: [], lifted: false }),
      piece(`boat-${number + 1}`, "boat", `saved${number}`, number - 1, { colour: "green", places: 2 }),
      piece(`artefact-${number + 9}`, "artefact", `saved${number}`, number - 1, { colour: "grey", boat: `boat-${number + 1}` }),
    );
    for (let place = 1; place <= 5; place++)
      pieces.push(piece(`tile-${number}-${place}`, "tile", `front${number}`, number - 1, { terrain: "JJLM", points: 1 }));
    for (let place = 1; expert && place <= 4; place++)
      pieces.push(piece(`card-${number}-${place}`, "card", `cards${number}`, number - 1, { card: number === 1 ? "lake" : null }));
  }
  const gauges = { phase: "phase.play", expert, points: Array<number>(seats).fill(4), bag: 6, lava_in_bag: 1, round: 2, pool: 3 };
  return {
    scene: { cells, pieces, gauges, choices: [], paths: [] },
    gauges, seats: Array.from({ length: seats }, (_, index) => seat(`Ana ${index + 1}`)), me, toMove: 0,
    sentences: { ...sentencesEn, ...wordsEn },
  };
}

describe.each(SCREENS)("on a screen of %i by %i", (width, height) => {
  it.each([[2, false], [3, true], [4, true]] as const)("everything of %i players is on the screen (expert: %s)", (seats, expert) => {
    for (const me of [0, 1, null]) {
      const seen = view(seats, expert, me);
      const layout = islandLayout(seen, width, height);
      for (const [id, { x, y, size }] of [...layout.cells, ...layout.pieces]) {
        expect(Number.isFinite(x + y + size) && size > 0, id).toBe(true);
        expect(x >= 0 && x <= width && y >= 0 && y <= height, `${id} at ${x}, ${y}`).toBe(true);
      }
      for (const { id, cell } of seen.scene.pieces) expect(layout.pieces.has(id), id).toBe(cell !== "gone");
    }
  });

  it("cells are side by side in their spaces, and boats are in the sea", () => {
    const { cells, pieces, more } = islandLayout(view(3, true), width, height);
    for (const [id, spot] of cells)
      if (isCell(id)) {
        const space = cells.get(id.slice(0, 2))!;
        expect(Math.abs(spot.x - space.x)).toBeCloseTo(more.cell / 2);
        expect(Math.abs(spot.y - space.y)).toBeCloseTo(more.cell / 2);
      }
    expect(pieces.get("boat-1")!.y).toBeLessThan(more.top);
  });
});

describe("the island on a phone", () => {
  it.each([2, 3, 4])("is 300 pixels wide at 375x667 in the expert game, with %i players; tiles and cards can be tapped", (seats) => {
    const seen = view(seats, true);
    seen.scene.pieces = seen.scene.pieces.filter(({ id }) => id !== "tile-1-5"); // four at most
    const { field, pieces, more } = islandLayout(seen, 375, 402);
    expect(field.extent.width).toBeGreaterThanOrEqual(300);
    const spots = [1, 2, 3, 4].flatMap((place) => [pieces.get(`tile-1-${place}`)!, pieces.get(`card-1-${place}`)!]);
    for (const { x, y } of spots) {
      expect(x).toBeLessThan(pieces.get("boat-2")!.x);
      expect(y).toBeGreaterThan(more.trays[0]!.top);
    }
    for (const [at, one] of spots.entries())
      for (const other of spots.slice(at + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(24);
  });

  it.each([2, 3, 4])("is 300 pixels wide at 375x667, with %i players, and all pieces of a tray are apart", (seats) => {
    const seen = view(seats, false);
    for (let boat = 2; boat <= 4; boat++) seen.scene.pieces.push(piece(`boat-${boat + 4}`, "boat", "saved1", 0, { places: 2 }));
    const { field, pieces, more } = islandLayout(seen, 375, 402);
    expect(field.extent.width).toBeGreaterThanOrEqual(300);
    const [tray, spots] = [more.trays[0]!, ["tile-1-5", "boat-2", "boat-6", "boat-7", "boat-8"].map((id) => pieces.get(id)!)];
    for (const { x, y, size } of spots) {
      expect(x + size / 2).toBeLessThanOrEqual(tray.left + tray.width);
      expect(y).toBeGreaterThan(tray.top + 4);
      expect(y).toBeLessThan(tray.top + tray.height - 4);
    }
    for (const [at, one] of spots.entries())
      for (const other of spots.slice(at + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(15);
  });

  it("has visible cells and pieces, and tiles that are large enough to tap", () => {
    const { more, pieces } = islandLayout(view(4, true), 390, 530);
    expect(more.cell).toBeGreaterThanOrEqual(18);
    expect(pieces.get("explorer-1-1")!.size).toBeGreaterThanOrEqual(16);
    const [one, two] = [pieces.get("tile-1-1")!, pieces.get("tile-1-2")!];
    expect(two.x - one.x).toBeGreaterThanOrEqual(40);
  });
});

describe("saved pieces on a phone", () => {
  it("are drawn for explorers saved by air without a boat", () => {
    const seen = view(3, true);
    const kept = seen.scene.pieces.filter(({ cell, kind }) => cell !== "saved2" || kind === "explorer");
    const pieces = kept.map((each) => (each.id === "explorer-2-2" ? { ...each, properties: { ...each.properties, lifted: true } } : each));
    const layout = islandLayout({ ...seen, scene: { ...seen.scene, pieces } }, 390, 530);
    expect(layout.pieces.get("explorer-2-2")!.size).toBeGreaterThan(5);
  });

  it("do not overlap the cards", () => {
    const { pieces } = islandLayout(view(3, true), 390, 530);
    const [boat, card] = [pieces.get("boat-3")!, pieces.get("card-2-1")!];
    expect(card.y - boat.y).toBeGreaterThan(card.size * 0.66 + boat.size * 0.2);
  });
});

describe("notation", () => {
  it("of cells and spaces is parsed", () => {
    expect(cellAt("d5nw")).toEqual([6, 8]);
    expect(cellAt("i9se")).toEqual([17, 17]);
    expect([isCell("a1sw"), isCell("a1"), isSpace("a1"), isSpace("bag")]).toEqual([true, false, true, false]);
  });
});

describe("animations", () => {
  it("lava removes its space and the pieces it buries", () => {
    expect(face.act({ key: "lava.north", details: { seat: 0, space: "e4" } })).toMatchObject({ gone: ["e4"], gauges: { flowing: "e4" } });
    expect(face.act({ key: "lava.gone.north", details: { seat: 0 } }).gone).toBeUndefined();
    expect(face.act({ key: "lost.one", details: { seat: 1, explorer: 2, artefacts: [7] } }).gone).toEqual(["explorer-2-2", "artefact-7"]);
  });

  it("explorers walk from cell to cell", () => {
    const details = { seat: 0, explorer: 1, start: "d5nw", cell: "d5ne", pool: 2 };
    expect(face.act({ key: "step.lake", details }).moves).toEqual([{ piece: "explorer-1-1", cells: ["d5nw", "d5ne"] }]);
  });

  it("take time for every event", () => {
    for (const key of Object.keys(sentencesEn).filter((each) => /^(lay|lava|lost|buried|step|board|lift|draw)/.test(each)))
      expect(face.act({ key, details: { seat: 0, explorer: 1 } }).lasts, key).toBeGreaterThan(0);
  });
});

describe("choices", () => {
  it("describe a tile in words, without terrain letters", () => {
    const turn = { action: 1, text: "", key: "action.turn", details: { turns: 1, terrain: "JJLM" }, targets: [], final: false };
    expect(face.label!(turn, view(2, false))).toBe("rotated right: jungle and jungle above lake and mountain");
  });
});

describe("descriptions", () => {
  const seen = view(2, true);
  const named = (id: string) => face.describe(seen.scene.pieces.find((each) => each.id === id)!, seen);

  it("name a piece, its place and its load", () => {
    expect(named("explorer-1-1")).toBe("Ana 1: explorer 1, d5nw, carries black artefact");
    expect(named("boat-1")).toBe("brown boat with 3 places");
    expect(named("tile-1-1")).toBe("tile for 1 point: jungle and jungle above lake and mountain");
    expect(named("card-2-1")).toBe("hidden card");
    expect(named("bag")).toContain("1 × lava of the northern flow");
  });

  it("name a cell, its terrain and the pieces on it", () => {
    expect(face.describeCell!("d5nw", seen)).toBe("d5nw: jungle, white artefact, Ana 1: explorer 1, d5nw, carries black artefact");
    expect(face.describeCell!("a1", seen)).toBe("a1: empty space");
  });

  it("cover the whole board without an untranslated key", async () => {
    const labels = (await face.textBoard(seen)).map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    for (const line of await face.textBoard(seen)) expect(`${line.label} ${line.text}`).not.toMatch(/board\.|piece\.|\{/);
  });

  it("have the same parameters in both languages", () => {
    const parameters = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const key of Object.keys(wordsEn) as (keyof typeof wordsEn)[]) expect(parameters(wordsFr[key]), key).toEqual(parameters(wordsEn[key]));
  });

  it("say what a score consists of", () => {
    expect(face.scoreNotes!(seen)).toEqual(view(2, true).seats.map(() => "Boats 3; artefacts 2; empty places −1"));
  });

  it("split a score into parts that add up to it", () => {
    for (const parts of face.scoreParts(seen)) expect(parts.reduce((sum, part) => sum + part, 0)).toBe(4);
  });
});

describe("drawings", () => {
  it("each terrain has its own mark, and each card a sign", () => {
    const { marks } = paths([{ x: 0, y: 0, ground: "jungle" }, { x: 9, y: 0, ground: "lake" }, { x: 0, y: 9, ground: "mountain" }], 9);
    expect(new Set(Object.values(marks)).size).toBe(3);
    for (const key of Object.keys(sentencesEn).filter((each) => each.startsWith("card_name."))) {
      const { sign, artefacts } = cardSign(key.slice("card_name.".length));
      expect(artefacts.length > 0 || sign in CARDS, key).toBe(true);
    }
  });
});

const GROUNDS = ["jungle", "lake", "mountain", "clearing", "lava", "crust", "boat-brown", "boat-green", "boat-orange", "boat-turquoise", "boat-place", "paper", "paper-raised", "sea-2", "sea-3"];

describe.each<Theme>(["light", "dark"])("colours in the %s theme", (theme) => {
  const all = colours(theme);
  const best = (ground: string, ...parts: string[]) => Math.max(...parts.map((part) => contrast(all.get(part)!, all.get(ground)!)));

  it.each(["artefact-white", "artefact-grey", "artefact-black"])("%s stands out from every ground, and from its line", (artefact) => {
    for (const ground of GROUNDS) expect(best(ground, `${artefact}-line`, `${artefact}-halo`), ground).toBeGreaterThanOrEqual(3);
    expect(best(artefact, `${artefact}-line`)).toBeGreaterThanOrEqual(3);
  });

  it.each(["jungle", "lake", "mountain"])("the marks of %s are visible on it", (ground) => {
    expect(best(ground, `${ground}-mark`)).toBeGreaterThanOrEqual(3);
  });

  it("boats stand out from the sea and the paper, arrows from the lava", () => {
    for (const ground of ["sea-2", "sea-3", "paper", "paper-raised"]) expect(best(ground, "boat-line"), ground).toBeGreaterThanOrEqual(3);
    for (const ground of ["lava", "crust"]) expect(best(ground, "lava-arrow"), ground).toBeGreaterThanOrEqual(3);
  });

  it("the ring of a target or the paper under it stands out", () => {
    for (const ground of GROUNDS) expect(best(ground, "ring", "paper-raised"), ground).toBeGreaterThanOrEqual(2.5);
  });
});

describe("labels of cards and choices", () => {
  const viewIn = (language: "en" | "fr"): View => ({
    ...view(2, true),
    sentences: language === "en" ? { ...sentencesEn, ...wordsEn } : { ...sentencesFr, ...wordsFr },
  });
  const choice = (key: string, details: Record<string, unknown> = {}, targets: string[] = []) => ({ action: 1, text: "", key, details, targets, final: false });

  it("an objective states its points in its description and its label", () => {
    const objective = piece("card-1-1", "card", "cards1", 0, { card: "2white", points: 4, secret: true });
    expect(face.describe(objective, viewIn("en"))).toMatch(/^Two white artefacts, 4 points: /);
    expect(face.describe(objective, viewIn("fr"))).toMatch(/^Deux artéfacts blancs, 4 points\u00a0: /);
    const seen = viewIn("fr");
    seen.scene = { ...seen.scene, pieces: [...seen.scene.pieces.filter(({ id }) => id !== "card-1-1"), objective] };
    expect(face.label!(choice("action.reject", { card: "2white" }, ["card-1-1"]), seen)).toBe("écarter «\u00a0Deux artéfacts blancs, 4 points\u00a0»");
  });

  it("a tile rotation names the terrain of each cell", () => {
    const label = (turns: number, terrain: string) => face.label!(choice("action.turn", { turns, terrain }), viewIn("en"));
    expect(label(0, "JLMJ")).toBe("lay it as it is: jungle and lake above mountain and jungle");
    expect(label(1, "MJJL")).toContain("mountain and jungle above jungle and lake");
  });

  it("taking an artefact is a button; a step is not", () => {
    expect(["action.take.white", "action.put.grey", "action.leave.black", "action.board"].every((key) => face.asButton!(choice(key)))).toBe(true);
    expect(["action.north", "board.walk", "action.explorer", "action.tile"].some((key) => face.asButton!(choice(key)))).toBe(false);
  });
});
