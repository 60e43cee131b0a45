/** Evaluates positions and turns in a worker. */
import { PairedRollouts } from "../engine/paired_rollouts";
import { RulesModule } from "../engine/rules_module";
import { Turns } from "../engine/turns";
import type { BatchSums, Correction, Point, Span } from "../generated/arithmetic";
import type { Course } from "../generated/messages";
import { unpacked, type Unpacked } from "./finished_game";
import { PositionRollouts } from "./position_rollouts";
import { TurnEvaluation, type Found } from "./turn_evaluation";

export type Task =
  | { kind: "position"; number: number; point: Point; worlds: number }
  | { kind: "turn"; number: number; span: Span; selection: number; measure: number };
export type Asked = { begin: { module: WebAssembly.Module; course: Course } } | { task: Task };
export type Answer = { ready: true } | { task: Task; sums: BatchSums } | { task: Task; found: Found } | { failed: string };

let game: Unpacked;
let turns: Turns;
let byView: PairedRollouts;
let toTheEnd: PositionRollouts;

async function begin(module: WebAssembly.Module, course: Course): Promise<Answer> {
  game = await unpacked(course);
  const rules = new RulesModule(module);
  turns = new Turns(rules);
  byView = new PairedRollouts(rules, course.seats, course.horizon);
  toTheEnd = new PositionRollouts(rules, course.seats);
  return { ready: true };
}

/** The same random numbers for all positions, so that their differences are known better than their values. */
const POSITIONS = 1n << 20n;

function evaluate(task: Task): Answer {
  const { moves, corrections } = game.course;
  if (task.kind === "position") {
    const { after, chosen } = task.point;
    return { task, sums: toTheEnd.evaluate(game.known(after), POSITIONS, task.worlds, chosen ? moves[after]!.action : null) };
  }
  const { span, selection, measure } = task;
  const played = moves.slice(span.first, span.until);
  const turn = new TurnEvaluation(
    span,
    played.map((_, place) => game.view(span.first + place)),
    played.map(({ action }) => action),
    played.map(({ options }) => options),
    BigInt(1 + span.first),
  );
  return { task, found: turn.evaluate(turns, byView, selection, measure, corrections["decision"] as unknown as Correction) };
}

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  try {
    postMessage("begin" in data ? await begin(data.begin.module, data.begin.course) : evaluate(data.task));
  } catch (error) {
    postMessage({ failed: String(error) } satisfies Answer);
  }
};
