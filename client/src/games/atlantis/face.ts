import type { Act, Face, TextLine, View } from "../../board/face";
import { capital, say } from "../../lib/words";
import type { Happening, Piece } from "../../generated/messages";
import Boat from "../hex/Boat.svelte";
import Creature from "../hex/Creature.svelte";
import Effect from "../hex/Effect.svelte";
import Islander from "../hex/Islander.svelte";
import { shownNames, sideLetters } from "../hex/people";
import { appears, beastId, boatId, goes, names, sharedAct } from "../hex/animations";
import { boardLines, describeCell, describePiece, savedAndLost } from "../hex/descriptions";
import Backdrop from "./Backdrop.svelte";
import { atlantisLayout } from "./geometry";

function act(happening: Happening): Act {
  const { key, details } = happening;
  const [what, how] = key.split(".");
  const space = String(details["space"]);
  const people = names(details["people"]);
  const person = String(details["person"]);
  const ripple = { kind: "ripple", cell: space };
  switch (what) {
    case "place":
      return appears(person, space);
    case "move": {
      if (!("person" in details)) return { brief: true };
      const there = goes([person], details["start"], details["island"] ?? space, how === "ride" ? 700 : 360);
      const dolphin = how === "ride" ? [{ piece: beastId(details["animal"]), cells: [space] }] : [];
      return {
        ...there,
        moves: [...there.moves!, ...dolphin],
        sound: "island" in details ? "home" : "step",
        gauges: { points: details["points"] },
      };
    }
    case "sink":
      return how === "none_left" ? {} : { trail: [space], effect: ripple, lasts: 500, sound: "take" };
    case "relocate":
      return how === "nowhere" ? { lasts: 500 } : goes(people.length > 0 ? people : [person], details["start"], space);
    case "reveal": {
      const gone = [space];
      if (how === "whirlpool") return { gone, effect: { kind: "whirl", cell: space }, lasts: 1000, sound: "breath" };
      const piece = "boat" in details ? boatId(details["boat"]) : "animal" in details ? beastId(details["animal"]) : null;
      return { ...(piece ? appears(piece, space, 500) : { lasts: 500 }), gone, effect: ripple };
    }
    case "spin":
      return { gauges: { dice: { animal: details["animal"], part: details["part"] } }, tellsAfter: true, lasts: 900, sound: "dice" };
    case "done":
      return { lasts: 900 };
    default:
      return sharedAct(happening, people);
  }
}

const DIRECT = ["action.person", "action.boat", "action.relocate", "action.monster", "action.shark", "action.octopus", "action.dolphin"];

export const face: Face = {
  layout: atlantisLayout,
  Backdrop: Backdrop as Face["Backdrop"],
  Effect,
  pieces: { boat: Boat, person: Islander, monster: Creature, shark: Creature, octopus: Creature, dolphin: Creature },
  order: ["monster", "octopus", "dolphin", "shark", "boat", "person"],
  interchangeable: ["person", "monster", "shark", "octopus", "dolphin"],
  act,
  isPlain: () => true,
  isDirect: (choice) => DIRECT.includes(choice.key),
  drags: ({ key }) => DIRECT.includes(key),
  letters: (seats) => sideLetters(seats),
  names: (seats) => shownNames("RBYG", 12, sideLetters(seats)),
  rulesOf: {
    person: ["AT-M1", "AT-M2", "AT-M4", "AT-M5", "AT-M7", "AT-M8", "AT-M10"],
    boat: ["AT-B1", "AT-B2", "AT-B3", "AT-M2"],
    monster: ["AT-X1", "AT-B2", "AT-M10"],
    shark: ["AT-X2", "AT-M10"],
    octopus: ["AT-X3", "AT-B2", "AT-B4"],
    dolphin: ["AT-X4", "AT-M8"],
    "phase.place": ["AT-S3", "AT-K1"],
    "phase.move": ["AT-T1", "AT-M1", "AT-M5", "AT-M8", "AT-B3"],
    "phase.move_to": ["AT-M2", "AT-M4", "AT-M7", "AT-M10", "AT-B2"],
    "phase.sink": ["AT-K1", "AT-K2", "AT-K4", "AT-K5"],
    "phase.relocate": ["AT-K2", "AT-K3"],
    "phase.relocate_to": ["AT-K2", "AT-K3", "AT-K6"],
    "phase.animal": ["AT-W1", "AT-W2", "AT-W3", "AT-X5"],
    "phase.animal_step": ["AT-W2", "AT-W3", "AT-X1", "AT-X2", "AT-X3", "AT-X6"],
    "phase.over": ["AT-E1", "AT-E2", "AT-E3", "AT-E4"],
  },
  // A choice of the person comes first only if there are several.
  inTurn: ({ key, details }, view, alone) => (alone && key.startsWith("action.flee") ? say(view.sentences, "turn.flee", details) : null),
  describe,
  describeCell: (cell, view) => describeCell(cell, view, describe),
  textBoard,
  points: (view) => (view.scene.gauges["over"] ? (view.scene.gauges["saved"] as number[]) : []),
  ranOut: (view) => (view.scene.gauges["left"] as number[]).flatMap((left, seat) => (left === 0 ? [seat] : [])),
  scoreParts: (view) => view.seats.map((_, seat) => Array<number>((view.scene.gauges["saved"] as number[])[seat] ?? 0).fill(1)),
  scoreNotes: savedAndLost,
};

function describe(piece: Piece, view: View): string {
  return describePiece(piece, view, piece.id);
}

function textBoard(view: View): TextLine[] {
  const [plains, hills, mountains] = view.gauges["pieces_left"] as number[];
  return boardLines(view, describe, capital(say(view.sentences, "picture.pieces", { plains, hills, mountains })));
}
