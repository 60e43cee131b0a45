import type { Act, Face, Prompt, TextLine, View } from "../../board/face";
import { say } from "../../lib/words";
import type { Choice, Happening, Piece, Seat } from "../../generated/messages";
import { t } from "../../texts/index.svelte";
import Boat from "../hex/Boat.svelte";
import Creature from "../hex/Creature.svelte";
import Effect from "../hex/Effect.svelte";
import Islander from "../hex/Islander.svelte";
import { shownNames, SIDES, sideColour, sideLetters } from "../hex/people";
import { appears, beastId, boatId, goes, names, sharedAct } from "../hex/animations";
import { boardLines, describeCell, describePiece, isSaved, savedAndLost } from "../hex/descriptions";
import Backdrop from "./Backdrop.svelte";
import { islandLayout } from "./geometry";
import HandTile from "./HandTile.svelte";

function act(happening: Happening): Act {
  const { key, details } = happening;
  const [what, how] = key.split(".");
  const space = String(details["space"]);
  const people = names(details["explorers"]);
  switch (what) {
    case "place":
      if (how === "explorer") return appears(String(details["explorer"]), space);
      if (how === "boat") return appears(boatId(details["boat"]), space);
      return how === "boats_next" ? { lasts: 900 } : { brief: true };
    case "tile":
      if (how === "none" || how === "enough") return { brief: true };
      if (how === "moves") return goes([beastId(details["creature"])], details["start"], space, 600);
      if (how === "dolphin_swims") return goes([String(details["explorer"])], details["start"], space);
      return { gone: [`tile-${space}`], lasts: 800, sound: "take" };
    case "move":
      if (how === "enough" || !("explorer" in details)) return { brief: true };
      return {
        ...goes([String(details["explorer"])], details["start"], details["island"] ?? space),
        sound: "island" in details ? "home" : "step",
        gauges: { points: details["points"] },
      };
    case "remove":
      return how === "none_left" ? {} : { gone: [space], effect: { kind: "ripple", cell: space }, lasts: 550, trail: [space], sound: "take" };
    case "keep":
      return how ? { lasts: 900 } : { moves: [{ piece: `tile-${space}`, cells: [`hand${Number(details["seat"]) + 1}`] }], trail: [space], lasts: 420, sound: "take" };
    case "reveal":
      if (how === "volcano") return { effect: { kind: "erupt", cell: space }, lasts: 1400, sound: "lost" };
      if (how === "whirlpool" || how === "volcano_sinks") return { effect: { kind: "whirl", cell: space }, lasts: 1000, sound: "breath" };
      if (how === "boat") return appears(boatId(details["boat"]), space, 450);
      return "creature" in details ? appears(beastId(details["creature"]), space, 450) : { lasts: 450 };
    case "rescue":
      return goes(people, undefined, space);
    case "pick":
      return goes([String(details["explorer"])], undefined, space);
    case "die":
      return { gauges: { dice: details["die"] }, tellsAfter: true, lasts: 650, sound: "dice" };
    case "asked":
      return { lasts: 500, sound: "turn" };
    case "defend":
      return how === "no" ? { lasts: 400 } : { gone: [beastId(details["creature"]), `tile-${String(details["tile"])}`], effect: { kind: "ripple", cell: space }, lasts: 900, sound: "home" };
    default:
      return sharedAct(happening, people);
  }
}

/** The answer to a defence question. */
function prompt(choices: readonly Choice[]): Prompt | null {
  const no = choices.find((choice) => choice.key.startsWith("action.no."));
  const isDefence = no && (no.key === "action.no.shark" || no.key === "action.no.whale");
  return isDefence ? { yes: choices.find((choice) => choice.key.startsWith("action.yes.")), no } : null;
}

/** Two players may have two colours each. */
const sides = (seats: readonly Seat[]) => sideLetters(seats, seats.length === 2 ? 4 : seats.length);

/** The choice picks a piece up; a destination follows. */
const TAKEN = ["action.explorer", "action.boat", "action.serpent", "action.shark", "action.whale"];
const DIRECT = ["action.place_explorer", ...TAKEN];

export const face: Face = {
  layout: islandLayout,
  Backdrop: Backdrop as Face["Backdrop"],
  Effect,
  pieces: { boat: Boat, explorer: Islander, serpent: Creature, shark: Creature, whale: Creature, tile: HandTile },
  order: ["tile", "serpent", "whale", "shark", "boat", "explorer"],
  interchangeable: ["explorer", "serpent", "shark", "whale"],
  act,
  isPlain: (choice) => !choice.key.startsWith("action.play."),
  isDirect: (choice) => DIRECT.includes(choice.key),
  drags: ({ key }) => TAKEN.includes(key),
  label,
  letters: sides,
  names: (seats) => shownNames("wysv", 10, sides(seats)),
  prompt,
  foremost: (choices) => prompt(choices)?.yes,
  rulesOf: {
    explorer: ["IS-M1", "IS-M4", "IS-M6", "IS-M8", "IS-M9", "IS-M11", "IS-C2"],
    boat: ["IS-B1", "IS-B2", "IS-B3", "IS-B4", "IS-M2"],
    serpent: ["IS-X2", "IS-M11", "IS-B4"],
    shark: ["IS-X3", "IS-M11", "IS-D1"],
    whale: ["IS-X4", "IS-B4", "IS-D2"],
    tile: ["IS-T1", "IS-H1", "IS-H2", "IS-H3", "IS-D1", "IS-D2"],
    "phase.place_explorer": ["IS-S5", "IS-S7", "IS-C2"],
    "phase.name_value": ["IS-S5", "IS-S8", "IS-C2", "IS-S7"],
    "phase.place_boat": ["IS-S6"],
    "phase.play_tile": ["IS-T1", "IS-T6", "IS-H1", "IS-H2", "IS-H3", "IS-H4"],
    "phase.tile_piece": ["IS-H1", "IS-H2", "IS-H3"],
    "phase.tile_step": ["IS-H1", "IS-H2", "IS-H3", "IS-M11"],
    "phase.move": ["IS-T2", "IS-M1", "IS-M6", "IS-B3", "IS-T8"],
    "phase.move_to": ["IS-M2", "IS-M4", "IS-M6", "IS-M8", "IS-M11", "IS-B4"],
    "phase.remove": ["IS-K1", "IS-K2", "IS-K5", "IS-K9"],
    "phase.fill_boat": ["IS-K8"],
    "phase.creature": ["IS-T4", "IS-X2", "IS-X3", "IS-X4", "IS-X5"],
    "phase.creature_step": ["IS-X2", "IS-X3", "IS-X4", "IS-X6"],
    "phase.defend": ["IS-D1", "IS-D2", "IS-D3", "IS-D4"],
    "phase.over": ["IS-E1", "IS-E2", "IS-E3"],
  },
  describe,
  describeCell: (cell, view) => describeCell(cell, view, describe),
  textBoard,
  points: (view) => (view.scene.gauges["over"] ? (view.scene.gauges["scores"] as number[]) : []),
  scoreParts: (view) =>
    view.seats.map((_, seat) =>
      view.scene.pieces
        .filter((piece) => piece.kind === "explorer" && piece.seat === seat && isSaved(piece, view))
        .map((piece) => (piece.properties["value"] as number | null) ?? 1),
    ),
  // At the end all values are shown, unless each is 1: a sum of ones says no more than the number.
  scoreNotes: (view) => (view.scene.pieces.some((piece) => piece.kind === "explorer" && isSaved(piece, view) && piece.properties["value"] == null) ? savedAndLost(view) : undefined),
};

/** An explorer to place, with its colour if the player has two. */
function label({ key, details }: Choice, view: View): string | null {
  const [, what, side] = key.split(".");
  if (what !== "value" && what !== "colour") return null;
  const colour = t().colours[sideColour(SIDES.indexOf(side!), view.seats)];
  if (what === "colour") return colour;
  const worth = say(view.sentences, "board.value", details);
  const two = view.scene.choices.some((choice) => choice.key !== key);
  return two ? `${colour}, ${worth}` : worth;
}

function describe(piece: Piece, view: View): string {
  const text = (key: string, details: Record<string, unknown> = {}) => say(view.sentences, key, details);
  const { properties } = piece;
  if (piece.kind === "tile") {
    const symbol = properties["symbol"] as string | null;
    const what = text(symbol ? `picture.symbol.${symbol}` : `board.${String(properties["terrain"])}`);
    return text("board.tile", { what, space: properties["from"] });
  }
  const where = describePiece(piece, view, text("action.explorer", { explorer: piece.id }));
  const value = properties["value"];
  return value == null ? where : text("board.worth", { where, value });
}

function textBoard(view: View): TextLine[] {
  const text = (key: string, details: Record<string, unknown> = {}) => say(view.sentences, key, details);
  const [beaches, forests, mountains] = view.gauges["tiles_left"] as number[];
  const handOf = (seat: number) => {
    const tiles = view.scene.pieces.filter((piece) => piece.kind === "tile" && piece.seat === seat);
    return tiles.length > 0 ? [text("picture.hand", { tiles: tiles.map((tile) => describe(tile, view)) })] : [];
  };
  return boardLines(view, describe, text("picture.tiles", { beaches, forests, mountains }), handOf);
}
