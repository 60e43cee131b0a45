import type { Act, Face, View } from "../../board/face";
import { say } from "../../lib/words";
import type { Choice, Happening, Piece } from "../../generated/messages";
import Backdrop from "./Backdrop.svelte";
import Disc from "./Disc.svelte";
import Diver from "./Diver.svelte";
import { seaLayout } from "./geometry";
import Unit from "./Unit.svelte";
import { unitOf } from "./units";

const cell = (space: number): string => (space === 0 ? "sub" : `s${space}`);
const diver = (seat: unknown): string => `diver-${(seat as number) + 1}`;

function act({ key, details }: Happening): Act {
  const [what] = key.split(".");
  const seat = details["seat"];
  switch (what) {
    case "breath": {
      const air = details["air"];
      return { gauges: { air, air_after: air }, lasts: 450, sound: "breath" };
    }
    case "throw":
      return { gauges: { dice: details["dice"] }, tellsAfter: true, lasts: 650, sound: "dice" };
    case "turn_back":
      return { lasts: 300 };
    case "swim":
    case "home": {
      const path = details["path"] as number[];
      return {
        moves: [{ piece: diver(seat), cells: path.map(cell) }],
        lasts: 200 + 130 * path.length,
        sound: what === "home" ? "home" : "step",
      };
    }
    case "take":
    case "put":
    case "lay": {
      const unit = `unit-${(details["unit"] as string[])[0]}`;
      const to = what === "take" ? `hand${(seat as number) + 1}` : cell(details["space"] as number);
      return { moves: [{ piece: unit, cells: [to] }], lasts: 380, sound: "take" };
    }
    case "treasure":
      return { lasts: 900, sound: "home" };
    case "lose":
      return { lasts: 900, sound: "lost" };
    case "round_end":
    case "round_start":
    case "win":
      return { lasts: 1000, sound: "end" };
    case "nothing":
    case "skip":
    case "stop":
    case "blocked":
    case "line_closed":
    case "game_over":
      return { lasts: 450 };
    default:
      return {};
  }
}

const KINDS = { chip: ["DS-C1", "DS-T6", "DS-T9", "DS-T1"], disc: ["DS-C3", "DS-T3", "DS-T6"] };

export const face: Face = {
  layout: seaLayout,
  Backdrop: Backdrop as Face["Backdrop"],
  pieces: { chip: Unit, pile: Unit, disc: Disc, diver: Diver },
  order: ["disc", "chip", "pile", "diver"],
  interchangeable: ["chip", "pile"],
  act,
  isPlain: (choice: Choice) => choice.key !== "action.turn_back",
  round: { ends: "round_end.", begins: "round_start" },
  rulesOf: {
    ...KINDS,
    pile: ["DS-E3", "DS-E4", "DS-T6", "DS-T1"],
    diver: ["DS-T1", "DS-T3", "DS-T2", "DS-T8", "DS-E3"],
    "phase.throw": ["DS-T1", "DS-T2", "DS-T3", "DS-T10"],
    "phase.search": ["DS-T6", "DS-T7", "DS-T9", "DS-T11"],
    "phase.lay": ["DS-E3", "DS-E8", "DS-E12"],
    "phase.over": ["DS-G1", "DS-G2"],
  },
  describe,
  textBoard: async (view) => (await import("./text_board")).textBoard(view),
  scoreParts: (view) =>
    view.seats.map((_, seat) =>
      view.scene.pieces
        .filter((piece) => piece.cell === `treasure${seat + 1}`)
        .flatMap((piece) => unitOf(piece).values.map((value) => value ?? 0)),
    ),
};

export function describe(piece: Piece, view: View): string {
  if (piece.kind === "diver") {
    const home = piece.properties["home"] === true;
    const out = piece.properties["facing"] === "out";
    const where = home
      ? "home"
      : piece.cell === "sub"
        ? "submarine"
        : out
          ? "out"
          : "back";
    const place = say(view.sentences, `board.place.${where}`, { space: piece.cell.slice(1) });
    return `${view.seats[piece.seat!]?.name ?? ""}, ${place}`;
  }
  if (piece.kind === "disc") return say(view.sentences, "piece.disc");
  const { levels, values } = unitOf(piece);
  if (levels.length > 1)
    return say(view.sentences, "piece.pile", { count: levels.length, levels: levels.join(", ") });
  return say(view.sentences, values[0] === null ? "piece.chip" : "piece.chip.value", {
    level: levels[0],
    value: values[0],
  });
}
