/** Analyses a finished game on this device: coarse within seconds, then finer. */
import { json, listGames, RequestError } from "../lib/http";
import { positionChances, startChances, sumUp, type Correction, type Measures, type PositionMeasure, type RolloutSums, type Summary } from "../generated/arithmetic";
import type { Course, Label } from "../generated/messages";
import { pointsOf } from "./finished_game";
import type { Found } from "./decision_evaluation";
import type { Answer, Asked, Task } from "./worker";

/** The fraction of the worlds used for the coarse analysis. */
const COARSE = 1 / 8;
const PER_DEAL = 4;
/** Leaves one core free for the page. */
const MOST_WORKERS = 8;
/** The minimal time between two updates of the page, in milliseconds. */
const PAUSE = 250;

export type Stage = "loading" | "weighing" | "done" | "missing" | "failed";

let latest: Analyst | undefined;

/** The analysis of a table's game, kept while the user looks at the board. */
export function analystOf(table: string): Analyst {
  if (latest?.table !== table || latest.stage === "failed" || latest.stage === "missing") {
    latest?.end();
    latest = new Analyst(table);
  }
  return latest;
}

export class Analyst {
  stage = $state.raw<Stage>("loading");
  progress = $state.raw(0);
  /** The win probabilities; null until the coarse pass is complete. */
  points = $state.raw<PositionMeasure[] | null>(null);
  /** The summary, once every decision has a coarse evaluation. */
  summary = $state.raw<Summary | null>(null);
  course = $state.raw<Course | null>(null);

  readonly #workers: Worker[] = [];
  readonly #queues: Task[][] = [];
  readonly #busy: boolean[] = [];
  readonly #starts = new Map<number, RolloutSums>();
  readonly #positions = new Map<number, RolloutSums>();
  readonly #found = new Map<number, Found>();
  #resting = false;
  #all = 0;
  #done = 0;
  #told = 0;

  constructor(readonly table: string) {
    document.addEventListener("visibilitychange", this.#goOn);
    void this.#begin();
  }

  /** Stops for good. */
  end(): void {
    document.removeEventListener("visibilitychange", this.#goOn);
    for (const worker of this.#workers) worker.terminate();
  }

  /** Starts no new task while the page is hidden. */
  rest(resting: boolean): void {
    this.#resting = resting;
    this.#goOn();
  }

  found(move: number): Found | undefined {
    return this.#found.get(move);
  }

  /** The labels of actions played in sequence instead of a move. */
  line(move: number, actions: readonly number[]): Promise<Label[]> {
    return json<Label[]>(`/api/tables/${this.table}/lines/${this.course!.moves[move]!.n}/${actions.join(",")}`);
  }

  /** An alternative action, and the rest of the turn after it. */
  goingOn(move: number, action: number): Promise<number[]> {
    const worker = this.#workers[0]!;
    return new Promise((resolve) => {
      const hear = ({ data }: MessageEvent<Answer>) => {
        if (!("line" in data) || data.line.move !== move || data.line.action !== action) return;
        worker.removeEventListener("message", hear);
        resolve(data.actions);
      };
      worker.addEventListener("message", hear);
      worker.postMessage({ line: { move, action } } satisfies Asked);
    });
  }

  async #begin(): Promise<void> {
    try {
      const course = await json<Course>(`/api/tables/${this.table}/course`);
      const engine = (await listGames()).find(({ name }) => name === course.game)?.engine;
      this.course = course;
      if (!engine) {
        this.stage = "missing";
        return;
      }
      const module = await WebAssembly.compileStreaming(fetch(engine));
      this.#plan(course);
      this.stage = "weighing";
      this.#queues.forEach((_, number) => this.#hire(number, module, course));
    } catch (error) {
      this.stage = "failed";
      if (!(error instanceof RequestError)) console.error(error);
    }
  }

  /** The tasks in order: positions and decisions coarsely, then both finely. */
  #plan(course: Course): void {
    const count = Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1));
    for (let number = 0; number < count; number += 1) this.#queues.push([]);
    const give = (key: number, task: Task) => this.#queues[key % count]!.push(task);
    const { selection, measure, position } = course.budget as { selection: number; measure: number; position: number };
    const decisions = course.moves.flatMap(({ options }, move) => (options > 1 ? [move] : []));
    const points = pointsOf(course);
    for (const part of [COARSE, 1]) {
      const worlds = (whole: number) => Math.max(2, Math.round(part * whole));
      // Widely spaced positions first, so that the chart is complete early and then refined.
      for (const after of points) give(after, { kind: "position", after, worlds: worlds(position) });
      if (part < 1) for (let deal = 0; deal < course.deals; deal += 1) give(deal, { kind: "start", number: deal, worlds: PER_DEAL });
      for (const move of decisions) give(move, { kind: "decision", move, selection: worlds(selection), measure: worlds(measure) });
    }
    this.#all = this.#queues.reduce((total, queue) => total + queue.length, 0);
  }

  #hire(number: number, module: WebAssembly.Module, course: Course): void {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#workers[number] = worker;
    this.#busy[number] = true;
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if ("line" in data) return;
      this.#busy[number] = false;
      this.#take(data);
      this.#next(number);
    };
    worker.onerror = () => this.#fail();
    // A JSON round trip, because reactive proxies cannot be sent to a worker.
    worker.postMessage({ begin: { module, course: JSON.parse(JSON.stringify(course)) as Course } } satisfies Asked);
  }

  /** Pauses while the page is hidden. */
  readonly #goOn = (): void => {
    if (!document.hidden) this.#workers.forEach((_, number) => this.#next(number));
  };

  #next(number: number): void {
    if (document.hidden || this.#resting || this.#busy[number] || this.stage !== "weighing") return;
    const task = this.#queues[number]!.shift();
    if (!task) return;
    this.#busy[number] = true;
    this.#workers[number]!.postMessage({ task } satisfies Asked);
  }

  #fail(): void {
    this.stage = "failed";
    for (const worker of this.#workers) worker.terminate();
  }

  #take(answer: Answer): void {
    if ("ready" in answer || "line" in answer) return;
    if ("failed" in answer) {
      console.error(answer.failed);
      return this.#fail();
    }
    if ("found" in answer) this.#found.set(answer.found.move, answer.found);
    else if (answer.task.kind === "start") this.#starts.set(answer.task.number, answer.tally);
    else if (answer.task.kind === "position") this.#positions.set(answer.task.after, answer.tally);
    this.#done += 1;
    this.progress = this.#done / this.#all;
    const over = this.#done === this.#all;
    if (over || performance.now() - this.#told > PAUSE) this.#tell();
    if (over) this.stage = "done";
  }

  #tell(): void {
    this.#told = performance.now();
    const course = this.course!;
    const points = pointsOf(course);
    if (points.some((after) => !this.#positions.has(after))) return;
    const correction = course.corrections["position"] as unknown as Correction;
    this.points = points.map((after) => ({ after, ...positionChances(correction, this.#positions.get(after)!) }));
    if (course.result) this.points.push({ after: course.moves.length, chances: course.result, errors: course.result.map(() => 0) });
    const decisions = course.moves.flatMap(({ options }, move) => (options > 1 ? [move] : []));
    if (this.#starts.size < course.deals || decisions.some((move) => !this.#found.has(move))) return;
    const measures: Measures = {
      seats: course.seats,
      start: startChances(correction, [...this.#starts.values()]),
      positions: this.points,
      decisions: decisions.map((move) => this.#found.get(move)!),
    };
    this.summary = sumUp(measures);
  }
}
