/** Evaluates positions and decisions in a worker. */
import { RulesModule } from "../engine/rules_module";
import { plus, type RolloutSums } from "../generated/arithmetic";
import type { Course } from "../generated/messages";
import { turnGoesOn, unpacked, type Unpacked } from "./finished_game";
import { DecisionEvaluation, type Found } from "./decision_evaluation";
import { PairedRollouts, TO_THE_END } from "./paired_rollouts";

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
  | { task: Task; tally: RolloutSums }
  | { task: Task; found: Found }
  | { failed: string };

let game: Unpacked;
let byView: PairedRollouts;
let toTheEnd: PairedRollouts;
const decisions = new Map<number, DecisionEvaluation>();
const positions = new Map<number, RolloutSums>();

async function begin(module: WebAssembly.Module, course: Course): Promise<Answer> {
  game = await unpacked(course);
  const rules = new RulesModule(module);
  byView = new PairedRollouts(rules, course.seats, course.horizon);
  toTheEnd = new PairedRollouts(rules, course.seats, TO_THE_END);
  return { ready: true };
}

/** Evaluates a full position; the seat to move plays the policy's choice in its view. */
function evaluateState(state: Uint8Array, view: Uint8Array, seed: number, first: number, worlds: number): RolloutSums {
  const { advice } = toTheEnd.begin(view, BigInt(seed));
  return toTheEnd.evaluate(state, [advice], first, worlds)[0]!;
}

function decision(move: number): DecisionEvaluation {
  const { course } = game;
  const known = decisions.get(move);
  if (known) return known;
  const { seat, action } = course.moves[move]!;
  const made = new DecisionEvaluation(move, seat, game.view(move), action, turnGoesOn(course, move), BigInt(1 + move));
  decisions.set(move, made);
  return made;
}

const added = (one: RolloutSums | undefined, other: RolloutSums) => (one ? plus(one, other) : other);

/** The maximal number of actions that the server labels. */
const MOST_TOLD = 8;
const SEEDS = { start: 1 << 24, position: 1 << 20 };

function evaluate(task: Task): Answer {
  if (task.kind === "start") {
    const { state, view } = game.dealt(task.number);
    return { task, tally: evaluateState(state, view, SEEDS.start + task.number, 0, task.worlds) };
  }
  if (task.kind === "position") {
    const { after, worlds } = task;
    const have = positions.get(after);
    const first = have?.worlds ?? 0;
    const tally = worlds > first ? added(have, evaluateState(game.state(after), game.view(after), SEEDS.position + after, first, worlds - first)) : have!;
    positions.set(after, tally);
    return { task, tally };
  }
  const found = decision(task.move).evaluate(byView, task.selection, task.measure, game.course.corrections["decision"]! as { power: number; floor: number });
  return { task, found };
}

/** An action and the policy's actions after it, until chance is drawn or another seat decides. */
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
    else postMessage(evaluate(data.task));
  } catch (error) {
    postMessage({ failed: String(error) } satisfies Answer);
  }
};
