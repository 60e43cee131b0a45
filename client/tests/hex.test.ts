import { describe, expect, it } from "vitest";
import type { View } from "../src/board/face";
import { around } from "../src/board/lens";
import { meant, nearestPlace, placesOf, targetsOf } from "../src/board/targets";
import { atlantisLayout } from "../src/games/atlantis/geometry";
import { face as atlantis } from "../src/games/atlantis/face";
import { sketches as atlantisSketches } from "../src/games/atlantis/pictures";
import atlantisEn from "../src/generated/sentences/atlantis.en";
import atlantisWordsEn from "../src/games/atlantis/words.en";
import { grid, hexagon } from "../src/games/hex/geometry";
import { shownNames, sideColour, sideLetters } from "../src/games/hex/people";
import { nameOf, say, tell } from "../src/lib/words";
import { COLOURS, playerLetters } from "../src/look/pieces";
import { face as island } from "../src/games/the-island/face";
import { islandLayout } from "../src/games/the-island/geometry";
import { sketches as islandSketches } from "../src/games/the-island/pictures";
import islandEn from "../src/generated/sentences/the-island.en";
import islandWordsEn from "../src/games/the-island/words.en";
import type { Cell, Choice, Piece, Seat } from "../src/generated/messages";

const SCREENS: [number, number][] = [[320, 420], [390, 540], [390, 300], [820, 500], [1072, 727], [1800, 900], [600, 1200]];
const INDENTS = [5, 2, 1, 2, 1, 0, 1, 0, 1, 2, 1, 2, 5];

const seat = (colour: Seat["colour"], name = "Ana"): Seat => ({
  kind: "person", name, colour, bot: null, here: true, bot_plays: false, resigned: false, absent_for: 0, clock_ms: null, clock_runs: false,
});
const piece = (id: string, kind: string, cell: string, properties: Record<string, unknown> = {}, owner: number | null = null): Piece => ({
  id, kind, cell, seat: owner, properties,
});

function view(pieces: Piece[]): View {
  const cells: Cell[] = INDENTS.flatMap((indent, row) =>
    Array.from({ length: Math.floor((24 - 2 * indent) / 2) }, (_, column) => ({
      id: `${"abcdefghijklm"[row]}${column + 1}`,
      kind: "sea",
      properties: { at: [indent + 2 * column, row], exit: null, lake: false },
    })),
  );
  cells.push({ id: "nw", kind: "safe_island", properties: { exits: ["b1", "c1"] } });
  cells.push({ id: "se", kind: "safe_island", properties: { exits: ["l10", "k11"] } });
  return {
    scene: { cells, pieces, gauges: {}, choices: [], paths: [] },
    gauges: {}, seats: [seat("white"), seat("sky")], me: 0, toMove: 0, sentences: { ...islandEn, ...islandWordsEn },
  };
}

const CROWD = [
  piece("boat-1", "boat", "f2", { number: 1, crew: ["w1", "w2", "y1"], control: [0] }),
  piece("w1", "explorer", "f2", { colour: "white", boat: "boat-1" }, 0),
  piece("w2", "explorer", "f2", { colour: "white", boat: "boat-1" }, 0),
  piece("y1", "explorer", "f2", { colour: "yellow", boat: "boat-1" }, 1),
  piece("w3", "explorer", "f2", { colour: "white", swimming: true, boat: null }, 0),
  piece("whale-1", "whale", "f2"),
  piece("w4", "explorer", "lost1", { colour: "white", boat: null }, 0),
  piece("w5", "explorer", "nw", { colour: "white", boat: null }, 0),
  piece("tile-d4", "tile", "hand1", { terrain: "beach", symbol: "wind", from: "d4", secret: true }, 0),
  piece("tile-d5", "tile", "hand2", { terrain: "beach", symbol: null, from: "d5", secret: false }, 1),
];

describe.each(SCREENS)("on a screen of %i by %i", (width, height) => {
  const layout = islandLayout(view(CROWD), width, height);

  it("every space is on the screen and no two overlap", () => {
    const { hexes, size } = layout.more;
    for (const [index, one] of hexes.entries()) {
      expect(one.x - size / 2).toBeGreaterThanOrEqual(-0.01);
      expect(one.x + size / 2).toBeLessThanOrEqual(width + 0.01);
      expect(one.y - size * 0.58).toBeGreaterThanOrEqual(-0.01);
      for (const other of hexes.slice(index + 1))
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(size * 0.99);
    }
  });

  it("the pieces on a space stay within it, each in a separate spot", () => {
    const cell = layout.cells.get("f2")!;
    const there = ["boat-1", "w1", "w2", "y1", "w3", "whale-1"].map((id) => layout.pieces.get(id)!);
    for (const [index, spot] of there.entries()) {
      expect(Math.hypot(spot.x - cell.x, spot.y - cell.y)).toBeLessThan(cell.size * 0.5);
      for (const other of there.slice(index + 1))
        expect(Math.hypot(spot.x - other.x, spot.y - other.y)).toBeGreaterThan(cell.size * 0.1);
    }
  });

  it("lost explorers are off the board, saved ones on their island, tiles in the hands", () => {
    expect(layout.pieces.has("w4")).toBe(false);
    expect(layout.pieces.get("w5")!.x).toBeLessThan(layout.cells.get("b2")!.x);
    const [own, other] = [layout.pieces.get("tile-d4")!, layout.pieces.get("tile-d5")!];
    expect(own.size).toBeGreaterThan(other.size);
  });

  it("Atlantis uses the same layout", () => {
    expect(atlantisLayout(view([piece("R1", "person", "f2", { boat: null }, 0)]), width, height).pieces.has("R1")).toBe(true);
  });
});

it("hexagons fill the width of a phone", () => {
  expect(islandLayout(view([]), 390, 528).more.size).toBeGreaterThan(31);
});

it("the cells of a grid do not overlap", () => {
  for (let count = 1; count <= 12; count++) {
    const spots = grid(count, 0.7);
    expect(spots).toHaveLength(count);
    for (const [index, [x, y, size]] of spots.entries())
      for (const [x2, y2] of spots.slice(index + 1)) expect(Math.hypot(x - x2, y - y2)).toBeGreaterThan(size * 0.9);
  }
  expect(hexagon(40)).toContain("M0 -23.09");
});

describe("several targets under one finger", () => {
  const choice = (action: number, target: string): Choice => ({ action, text: "", key: "", details: {}, targets: [target], final: false });
  const choices = [choice(1, "w1"), choice(2, "boat-1"), choice(3, "d4"), choice(4, "w3"), choice(5, "tile-d4")];
  const cellOf = (id: string) => CROWD.find((each) => each.id === id)?.cell ?? id;
  const layout = islandLayout(view(CROWD), 390, 528);
  const places = placesOf(targetsOf(choices, layout), layout, cellOf);
  const at = (id: string) => layout.pieces.get(id) ?? layout.cells.get(id)!;
  const found = (id: string, exact: boolean, need = 44) =>
    meant(places, nearestPlace(places, at(id).x, at(id).y)!, at(id), exact, need).map((target) => target.id);

  it("are one place and are all offered, without those of other spaces", () => {
    expect(places).toHaveLength(3);
    expect(found("w1", false).toSorted()).toEqual(["boat-1", "w1", "w3"]);
    expect(found("d4", false)).toEqual(["d4"]);
  });

  it("are one for an exact mouse click", () => {
    expect(found("boat-1", true)).toEqual(["boat-1"]);
  });

  it("are separate if they are far enough apart", () => {
    expect(found("w3", false, 4)).toEqual(["w3"]);
  });
});

describe("zooming in", () => {
  const whole = islandLayout(view(CROWD), 375, 448);
  const close = islandLayout(view(CROWD), 375, 448, around(whole.cells.get("f2")!, 2, whole.field));

  it("enlarges the chart and leaves the rows below it in place", () => {
    expect(close.more.size).toBeCloseTo(2 * whole.more.size);
    expect(close.pieces.get("w3")!.size).toBeCloseTo(2 * whole.pieces.get("w3")!.size);
    expect(close.pieces.get("tile-d4")).toEqual(whole.pieces.get("tile-d4"));
    expect(close.more.seats).toEqual(whole.more.seats);
  });
});

describe("people", () => {
  it("have the colour of their player; a second side has an unused colour", () => {
    const seats = [seat("black"), seat("white")];
    expect(sideColour(0, seats)).toBe("black");
    expect(new Set([0, 1, 2, 3].map((side) => sideColour(side, seats))).size).toBe(4);
  });
});

describe("animations", () => {
  /** Keys of events, without those of questions, refusals and choices. */
  const events = (sentences: Record<string, string>) =>
    Object.keys(sentences).filter((key) => !/^(ask|action|phase|refuse|option|choice|picture|end)\./.test(key));

  it.each([["The Island", island, islandEn], ["Atlantis", atlantis, atlantisEn]] as const)("%s: every event can be animated, even without details", (_, face, sentences) => {
    for (const key of events(sentences)) expect(() => face.act({ key, details: {} }), key).not.toThrow();
  });

  it("a boat moves with its crew and leaves a trail", () => {
    const act = island.act({ key: "sail.occupied", details: { boat: "3", explorers: ["w1", "y2"], start: "c3", space: "c4" } });
    expect(act.moves?.map((move) => move.piece)).toEqual(["boat-3", "w1", "y2"]);
    expect(act.trail).toEqual(["c3", "c4"]);
  });

  it("a removed tile sinks; a serpent takes boat and crew", () => {
    expect(island.act({ key: "remove.beach", details: { space: "d4" } }).gone).toEqual(["d4"]);
    expect(island.act({ key: "devour.many", details: { boat: "1", explorers: ["w1"], space: "c4" } }).gone).toEqual(["boat-1", "w1"]);
    expect(atlantis.act({ key: "reveal.shark", details: { animal: "shark 2", space: "d4" } })).toMatchObject({ gone: ["d4"], moves: [{ piece: "shark-2" }] });
  });
});

describe("a defence", () => {
  const choice = (key: string): Choice => ({ action: key.includes("no") ? 1 : 2, text: "", key, details: {}, targets: [], final: false });
  it("is a prompt with or without the tile; other choices are not", () => {
    expect(island.prompt!([choice("action.no.shark")])).toMatchObject({ yes: undefined });
    expect(island.prompt!([choice("action.no.whale"), choice("action.yes.whale")])?.yes).toBeDefined();
    expect(island.prompt!([choice("action.no_creature")])).toBeNull();
    expect(island.foremost!([choice("action.no.whale"), choice("action.yes.whale")])?.key).toBe("action.yes.whale");
  });
});

it("spaces and pieces have descriptions", () => {
  const seen = view(CROWD);
  expect(island.describeCell!("f2", seen)).toBe("f2, sea, boat 1 on f2 with w1, w2, y1, controlled by Ana, explorer w3 of Ana, swimming on\u00a0f2, whale 1 on\u00a0f2");
  expect(island.describe(CROWD[8]!, seen)).toContain("tile from d4");
});

it("sketches of rules have rule ids of their game", async () => {
  for (const [sketches, prefix] of [[islandSketches, "IS-"], [atlantisSketches, "AT-"]] as const)
    for (const [id, sketch] of Object.entries(sketches)) {
      expect(id.startsWith(prefix)).toBe(true);
      expect(sketch.spaces.length).toBeGreaterThan(1);
    }
});

describe("people have the letters of their players", () => {
  const seats = [seat("yellow"), seat("black")]; // with the same initial
  const sentences = { ...islandEn, ...island.names!(seats) };

  it("initials, if no two players or sides share one", () => {
    const named = (...names: string[]) => names.map((name, number) => seat(COLOURS[number]!, name));
    expect(sideLetters(named("Ana", "élodie", "Zoé"))).toEqual(["A", "É", "Z"]);
    expect(sideLetters(named("Ana", "Alba", "Zoé"))).toEqual(["W", "Y", "S"]);
    expect(sideLetters(named("Player 1", "Player 2"))).toEqual(["W", "Y"]);
    // The second side of a player is sky or vermilion.
    expect(island.letters!(named("Ana", "Ben"))).toEqual(["A", "B", "S", "V"]);
    expect(island.letters!(named("Ana", "Sam"))).toEqual(["W", "Y", "S", "V"]);
    expect(atlantis.letters!(named("Ana", "Sam"))).toEqual(["A", "S"]);
    expect(nameOf(island.names!(named("Ana", "Ben")), ["w3", "y10", "white"])).toBe("A3, B10, A");
    expect(nameOf(atlantis.names!(named("Ana", "Ben")), ["R3", "B10"])).toBe("A3, B10");
  });

  it("elsewhere too; open seats do not count", () => {
    const named = (...names: string[]) => names.map((name, number) => ({ name, colour: COLOURS[number]! }));
    expect(playerLetters(named("Ana", "Ben", "", ""))).toEqual(["A", "B", "?", "?"]);
    expect(playerLetters(named("Diver 1", "Diver 2"))).toEqual(["1", "2"]);
    expect(playerLetters(named("Ana", "Alba"))).toEqual(["W", "Y"]);
  });

  it("singly, in lists and in narration", () => {
    expect(nameOf(sentences, "w3")).toBe("Y3");
    expect(nameOf(sentences, ["w1", "y10"])).toBe("Y1, K10");
    expect(nameOf(sentences, "f4")).toBe("f4");
    expect(say(sentences, "action.explorer", { explorer: "y2" })).toContain("K2");
    const eaten = { key: "eaten.shark.many", details: { space: "d3", explorers: ["w1", "y2"], names: "w1, y2", count: 2 } };
    expect(tell(sentences, eaten, seats)).toContain("d3: Y1, K2.");
  });

  it("all sides have different letters, also the second side of a player", () => {
    for (const letters of ["wysv", "RBYG"]) {
      const names = Object.values(shownNames(letters, 12, sideLetters(seats, 4)));
      expect(new Set(names).size).toBe(48 + 4); // plus one name per colour
    }
  });

  it("a description names a person once, as on the board", () => {
    const there = view([piece("R1", "person", "f2", { colour: "red", boat: null, swimming: false }, 0)]);
    const named = { ...there, seats, sentences: { ...atlantisEn, ...atlantisWordsEn, ...atlantis.names!(seats) } };
    expect(atlantis.describe(named.scene.pieces[0]!, named)).toContain("Y1 of Ana");
  });
});

describe("the end of The Island", () => {
  const cells = [{ id: "nw", kind: "safe", properties: { exits: [] } }] as unknown as Cell[];
  const explorer = (id: string, value: number | null): Piece => ({ id, kind: "explorer", seat: 0, cell: "nw", properties: { value } }) as unknown as Piece;
  const ended = (...values: (number | null)[]): View => {
    const gauges = { saved: [values.length], lost: [2] };
    const pieces = values.map((value, number) => explorer(`w${number + 1}`, value));
    return { scene: { cells, pieces, gauges, choices: [], paths: [] }, gauges, seats: [seat("white")], me: 0, toMove: null, sentences: { ...islandEn, ...islandWordsEn } };
  };

  it("lists the values of the saved explorers", () => {
    expect(island.scoreParts(ended(6, 1))).toEqual([[6, 1]]);
    expect(island.scoreNotes?.(ended(6, 1))).toBeUndefined();
  });

  it("notes the numbers of saved and lost explorers if all values are 1", () => {
    expect(island.scoreNotes?.(ended(null, null, null))).toEqual(["Saved\u00a03, lost\u00a02"]);
  });
});
