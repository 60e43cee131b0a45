import type { Act, Face } from "../../board/face";
import type { Choice, Happening } from "../../generated/messages";
import Artefact from "./Artefact.svelte";
import Backdrop from "./Backdrop.svelte";
import Bag from "./Bag.svelte";
import Boat from "./Boat.svelte";
import Card from "./Card.svelte";
import Effect from "./Effect.svelte";
import Explorer from "./Explorer.svelte";
import { islandLayout } from "./geometry";
import { isCell } from "./grid";
import Overlay from "./Overlay.svelte";
import { describe, describeCell, explain, inTurn, label, scoreNotes, scoreParts, textBoard } from "./descriptions";
import Tile from "./Tile.svelte";
import TurnPicture from "./TurnPicture.svelte";

type Details = Happening["details"];

const explorer = ({ seat, explorer }: Details): string => `explorer-${(seat as number) + 1}-${String(explorer)}`;
const artefacts = ({ artefacts }: Details): string[] => ((artefacts ?? []) as number[]).map((number) => `artefact-${number}`);
const saved = ({ seat }: Details): string => `saved${(seat as number) + 1}`;

function act({ key, details }: Happening): Act {
  const [what] = key.split(".");
  const space = String(details["space"]);
  switch (what) {
    case "lay":
      return { gone: [space], effect: { kind: "lay", cell: space }, lasts: 420, sound: "take" };
    case "lava":
      return details["space"]
        ? { gone: [space], effect: { kind: "lava", cell: space }, gauges: { flowing: space }, lasts: 1100, sound: "breath" }
        : { lasts: 500 };
    case "lost":
      return { gone: [explorer(details), ...artefacts(details)], lasts: 700, sound: "lost" };
    case "buried":
      return { gone: artefacts(details), lasts: 600 };
    case "step":
      return {
        moves: [{ piece: explorer(details), cells: [String(details["start"]), String(details["cell"])] }],
        gauges: { pool: details["pool"] },
        brief: true,
        lasts: 230,
        sound: "step",
      };
    case "card_move":
      return {
        moves: [{ piece: explorer(details), cells: [String(details["start"]), String(details["cell"])] }],
        lasts: 550,
        sound: "step",
      };
    case "spend":
      return { gauges: { pool: details["pool"] }, brief: true, lasts: 200 };
    case "board":
      return {
        moves: [
          { piece: `boat-${String(details["boat"])}`, cells: [saved(details)] },
          { piece: explorer(details), cells: [saved(details)] },
        ],
        lasts: 650,
        sound: "home",
      };
    case "lift":
      return { moves: [{ piece: explorer(details), cells: [saved(details)] }], lasts: 650, sound: "home" };
    case "take":
    case "put":
    case "leave":
    case "left":
      return { brief: true, lasts: 260, sound: "take" };
    case "draw":
    case "quake":
      return { lasts: 350, sound: "dice" };
    case "card":
      return { lasts: 700, sound: "turn" };
    case "end_begins":
    case "game_over":
    case "win":
      return { lasts: 1400, sound: "end" };
    case "score":
      return { lasts: 700 };
    case "name":
    case "pick":
    case "aim":
    case "end_play":
    case "end_turn":
      return { brief: true };
    default:
      return {};
  }
}

/** Performed at the first tap, because a tap undoes it or another question follows. */
const DIRECT = new Set(["action.tile", "action.spend", "action.explorer", "action.space", "action.quake_space"]);
const PLAIN = new Set(["action.place", "action.draw", "action.end_turn", "action.quake_draw", "action.quake_skip"]);

const ARTEFACT_RULES = ["MK-A1", "MK-A2", "MK-G1", "MK-L3"];
const CARD_RULES = ["MK-X1", "MK-X4", "MK-X5", "MK-X6", "MK-X7", "MK-X8", "MK-X9", "MK-X10"];
const QUAKE_RULES = ["MK-X7", "MK-X4", "MK-L1"];

export const face: Face = {
  layout: islandLayout,
  Backdrop: Backdrop as Face["Backdrop"],
  Overlay: Overlay as Face["Backdrop"],
  Effect,
  pieces: { bag: Bag, boat: Boat, artefact: Artefact, explorer: Explorer, tile: Tile, card: Card },
  order: ["bag", "boat", "tile", "card", "explorer", "artefact"],
  act,
  isPlain: ({ key, details }: Choice) => PLAIN.has(key) || (key === "action.end_play" && details["unused"] === 0),
  isDirect: ({ key }: Choice) => DIRECT.has(key) || /^action\.(take|put)\./.test(key),
  asButton: ({ key }: Choice) => /^action\.(take|put|leave|board)\b/.test(key),
  Variant: TurnPicture,
  turns: ({ key }: Choice) => key === "action.turn" || key === "action.quake_turn",
  drags: ({ key }: Choice) => key === "action.tile" || key === "action.explorer",
  label,
  inTurn,
  foremost: (choices) => choices.find(({ key }) => key === "action.draw" || key === "action.end_turn"),
  rulesOf: {
    explorer: ["MK-M1", "MK-M2", "MK-A1", "MK-B1", "MK-L3", "MK-G1"],
    artefact: ARTEFACT_RULES,
    boat: ["MK-B1", "MK-B2", "MK-G1"],
    tile: ["MK-T1", "MK-T2", "MK-T3", "MK-C5"],
    bag: ["MK-T4", "MK-V1", "MK-C1"],
    card: CARD_RULES,
    "phase.choose": ["MK-X1", "MK-X9", "MK-X10"],
    "phase.place": ["MK-S2", "MK-S4"],
    "phase.play": ["MK-T1", "MK-T2", "MK-T3", "MK-T5", "MK-M1", "MK-M2", "MK-A1", "MK-B1"],
    "phase.explorer": ["MK-M1", "MK-M2", "MK-A1", "MK-A2", "MK-B1"],
    "phase.leave": ["MK-B1", "MK-B2"],
    "phase.space": ["MK-T2"],
    "phase.turn": ["MK-C5", "MK-T2"],
    "phase.refill": ["MK-T4", "MK-X4", "MK-L1", "MK-X3"],
    "phase.card-explorer": ["MK-X5", "MK-X6", "MK-X8"],
    "phase.card-cell": ["MK-X5", "MK-X6"],
    "phase.quake-space": QUAKE_RULES,
    "phase.quake-turn": QUAKE_RULES,
    "phase.quake-draw": QUAKE_RULES,
    "phase.over": ["MK-G1", "MK-G2", "MK-X9"],
  },
  explain,
  describe,
  describeCell,
  textBoard,
  ranOut: (view) =>
    view.seats.flatMap((_, seat) =>
      view.scene.pieces.some((piece) => piece.kind === "explorer" && piece.seat === seat && isCell(piece.cell)) ? [] : [seat],
    ),
  scoreParts,
  scoreNotes,
};
