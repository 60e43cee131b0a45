/** A turn in words and as arrows: its actions, grouped by the piece that moves. */
import type { Label } from "../generated/messages";
import type { TableModel } from "../table/table_model.svelte";
import { t } from "../texts/index.svelte";
import { capital } from "./words";

/** The actions with one piece, or one action without a piece. */
export interface Part {
  /** The choice of the piece, if there was one. */
  pick: Label | null;
  actions: Label[];
  /** The piece and the places that it goes to, by id. */
  path: string[];
}

/** Keys that mean the same kind of step. */
const kindOf = ({ key }: Label): string =>
  key.replace(/^action\.(north|east|south|west)$/, "step").replace(/^action\.(space|turn)$/, "lay");
/** Actions at the first tap that do not choose what moves. */
const NO_PIECE = /^action\.(space$|spend$|take\.|put\.)/;

/** Groups the actions of a turn. `isPick` tells whether an action only chooses what the next one moves. */
export function partsOf(labels: readonly Label[], isPick: (label: Label) => boolean): Part[] {
  const parts: Part[] = [];
  for (const label of labels) {
    const part = parts.at(-1);
    const [target] = label.targets;
    const previous = part?.actions.at(-1);
    if (isPick(label)) {
      // The same piece moves on.
      if (part?.pick && previous && part.pick.key === label.key && part.pick.targets[0] === target) continue;
      parts.push({ pick: label, actions: [], path: target ? [target] : [] });
    } else if (part && (previous ? kindOf(previous) === kindOf(label) && (part.pick || kindOf(label) === "step") : part.pick)) {
      part.actions.push(label);
      if (target && part.path.at(-1) !== target) part.path.push(target);
    } else parts.push({ pick: null, actions: [label], path: target ? [target] : [] });
  }
  return parts;
}

/** Groups the actions of a turn of the table's game. */
export const partsAt = ({ gameText }: TableModel, turn: readonly Label[]): Part[] =>
  partsOf(turn, (label) => !NO_PIECE.test(label.key) && (gameText.face?.isDirect?.({ ...label, final: false }) ?? false));

/** A turn as text: "Boat 7: sail to f3; explorer W9: board boat 7". Of several steps in a row, only the last is named. */
export function turnText(at: TableModel, turn: readonly Label[]): string {
  const parts = partsAt(at, turn);
  const { gameText, position } = at;
  const small = (label: Label, alone: boolean) => {
    const { face } = gameText;
    const own = position && (face?.inTurn?.(label, at.viewOf(position), alone) ?? face?.label?.({ ...label, final: false }, at.viewOf(position)));
    const text = own ?? gameText.sentence({ key: label.key, details: label.details });
    return /^\p{Lu}[\p{Ll}’]/u.test(text) ? text.charAt(0).toLocaleLowerCase() + text.slice(1) : text;
  };
  const texts = parts.map(({ pick, actions }) => {
    const named = actions.filter((label, place) => place === actions.length - 1 || kindOf(label) !== kindOf(actions[place + 1]!));
    const does = named.map((label) => small(label, !pick)).join(", ");
    return pick && does ? t().turn.piece(small(pick, true), does) : does || small(pick!, true);
  });
  return capital(texts.join(t().turn.then));
}
