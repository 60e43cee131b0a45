/** Weighs what it is asked to, in a thread of its own. */
import { RulesModule } from "../engine/rules_module";
import type { Course } from "../messages";
import { turnGoesOn, unpacked, type Unpacked } from "./course";
import { plus, Scales, TO_THE_END, type Tally } from "./scales";
import { Weighed, type Found } from "./weighed";

export type Task =
  | { kind: "start"; number: number; worlds: number }
  | { kind: "position"; after: number; worlds: number }
  | { kind: "decision"; move: number; selection: number; measure: number };
/** How a turn goes on after an action, by the policy. */
export type Line = { move: number; action: number };
export type Asked = { begin: { module: WebAssembly.Module; course: Course } } | { task: Task } | { line: Line };
export type Answer =
  | { ready: true }
  | { line: Line; actions: number[] }
  | { task: Task; tally: Tally }
  | { task: Task; found: Found }
  | { failed: string };

let game: Unpacked;
let byView: Scales;
let toTheEnd: Scales;
const decisions = new Map<number, Weighed>();
const positions = new Map<number, Tally>();

async function begin(module: WebAssembly.Module, course: Course): Promise<Answer> {
  game = await unpacked(course);
  const rules = new RulesModule(module);
  byView = new Scales(rules, course.seats, course.horizon);
  toTheEnd = new Scales(rules, course.seats, TO_THE_END);
  return { ready: true };
}

/** A whole position: the seat to move does as the policy would, knowing its view alone. */
function weighState(state: Uint8Array, view: Uint8Array, seed: number, first: number, worlds: number): Tally {
  const { advice } = toTheEnd.begin(view, BigInt(seed));
  return toTheEnd.weigh(state, [advice], first, worlds)[0]!;
}

function decision(move: number): Weighed {
  const { course } = game;
  const known = decisions.get(move);
  if (known) return known;
  const { seat, action } = course.moves[move]!;
  const made = new Weighed(move, seat, game.view(move), action, turnGoesOn(course, move), BigInt(1 + move));
  decisions.set(move, made);
  return made;
}

/** As many as the server tells the words of. */
const MOST_TOLD = 8;
const SEEDS = { start: 1 << 24, position: 1 << 20 };

function weigh(task: Task): Answer {
  if (task.kind === "start") {
    const { state, view } = game.dealt(task.number);
    return { task, tally: weighState(state, view, SEEDS.start + task.number, 0, task.worlds) };
  }
  if (task.kind === "position") {
    const { after, worlds } = task;
    const have = positions.get(after);
    const first = have?.worlds ?? 0;
    const tally = worlds > first ? plus(have, weighState(game.state(after), game.view(after), SEEDS.position + after, first, worlds - first)) : have!;
    positions.set(after, tally);
    return { task, tally };
  }
  const found = decision(task.move).weigh(byView, task.selection, task.measure, game.course.corrections["decision"]! as { power: number; floor: number });
  return { task, found };
}

/** An action, and what the policy does after it until chance comes in or somebody else decides. */
function goOn(line: Line): Answer {
  const { seat } = game.course.moves[line.move]!;
  const actions = [line.action];
  let state = game.state(line.move);
  while (actions.length < MOST_TOLD) {
    const following = byView.after(state, actions.at(-1)!, seat);
    if (!following) break;
    state = following.state;
    const { actions: candidates, advice } = byView.begin(following.view, BigInt(actions.length));
    actions.push(candidates[advice]!);
  }
  return { line, actions };
}

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  try {
    if ("begin" in data) postMessage(await begin(data.begin.module, data.begin.course));
    else if ("line" in data) postMessage(goOn(data.line));
    else postMessage(weigh(data.task));
  } catch (error) {
    postMessage({ failed: String(error) } satisfies Answer);
  }
};
