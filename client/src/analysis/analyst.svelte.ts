/** Analyses a finished game on this device: coarse within seconds, then finer. */
import { followEngine, type EngineState } from "../engine/engine_address";
import { RequestError } from "../lib/http";
import { askAbout } from "../record/record_file";
import {
  certain,
  chancesOf,
  pointsOf,
  positionMeasure,
  sumUp,
  turnsOf,
  type BatchSums,
  type Correction,
  type Measures,
  type Point,
  type PositionMeasure,
  type Span,
  type Summary,
} from "../generated/arithmetic";
import type { Course, Label } from "../generated/messages";
import type { Found } from "./turn_evaluation";
import type { Answer, Asked, Task } from "./worker";

/** The fraction of the worlds used for the coarse analysis. */
const COARSE = 1 / 8;
/** Leaves one core free for the page. */
const MOST_WORKERS = 8;
/** The minimal time between two updates of the page, in milliseconds. */
const PAUSE = 250;

export type Stage = "loading" | "building" | "measuring" | "done" | "missing" | "failed";

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
  /** How many engines the server has built, while that of this game is missing. */
  building = $state.raw<EngineState["building"]>(null);
  /** The win probabilities at all points; null until the coarse pass is complete. */
  points = $state.raw<PositionMeasure[] | null>(null);
  /** The summary, once every turn has a coarse evaluation. */
  summary = $state.raw<Summary | null>(null);
  course = $state.raw<Course | null>(null);

  readonly #workers: Worker[] = [];
  readonly #queues: Task[][] = [];
  readonly #busy: boolean[] = [];
  #points: Point[] = [];
  #turns: Span[] = [];
  /** By number of point and of turn. */
  readonly #positions = new Map<number, BatchSums>();
  readonly #found = new Map<number, Found>();
  #resting = false;
  #all = 0;
  #done = 0;
  #told = 0;
  #endWaiting = (): void => undefined;

  /** `turns`: whether to evaluate the turns, for mistakes. Luck and skill need the positions only. */
  constructor(
    readonly table: string,
    private readonly evaluated = { turns: true },
  ) {
    document.addEventListener("visibilitychange", this.#goOn);
    void this.#begin();
  }

  /** Stops for good. */
  end(): void {
    document.removeEventListener("visibilitychange", this.#goOn);
    this.#endWaiting();
    for (const worker of this.#workers) worker.terminate();
  }

  /** Starts no new task while the page is hidden. */
  rest(resting: boolean): void {
    this.#resting = resting;
    this.#goOn();
  }

  /** The evaluations of all turns, once there is a summary. */
  get measures(): Found[] {
    return this.#turns.flatMap((_, number) => this.#found.get(number) ?? []);
  }

  /** The evaluation of a turn. */
  found(turn: number): Found | undefined {
    return this.#found.get(turn);
  }

  /** The turn with the decisions of some moves, if there were any. */
  turnAt(first: number, until: number): number | undefined {
    const number = this.#turns.findIndex((turn) => turn.first < until && turn.until > first);
    return number < 0 ? undefined : number;
  }

  /** The labels of actions played in sequence from the position before a move. */
  line(move: number, actions: readonly number[]): Promise<Label[]> {
    return askAbout<Label[]>(this.table, `lines/${this.course!.moves[move]!.n}/${actions.join(",")}`);
  }

  /** The labels of a turn as it was played. */
  played(turn: number): Promise<Label[]> {
    const { first, until } = this.#turns[turn]!;
    return this.line(first, this.course!.moves.slice(first, until).map(({ action }) => action));
  }

  /** The labels of the better turn. */
  better(turn: number): Promise<Label[]> {
    return this.line(this.#turns[turn]!.first, this.#found.get(turn)!.better);
  }

  async #begin(): Promise<void> {
    try {
      const course = await askAbout<Course>(this.table, "course");
      const engine = await this.#engine(course.game);
      this.course = course;
      if (!engine) {
        this.stage = "missing";
        return;
      }
      const module = await WebAssembly.compileStreaming(fetch(engine));
      this.#plan(course);
      this.stage = "measuring";
      this.#queues.forEach((_, number) => this.#hire(number, module, course));
    } catch (error) {
      this.stage = "failed";
      if (!(error instanceof RequestError)) console.error(error);
    }
  }

  /** The address of the engine, once it is built; null if there is none. */
  #engine(game: string): Promise<string | null> {
    return new Promise((resolve) => {
      this.#endWaiting = followEngine(game, ({ address, building }) => {
        this.building = building;
        this.stage = building ? "building" : "loading";
        if (!building) resolve(address);
      });
    });
  }

  /** The tasks in order: positions and turns coarsely, then both finely. */
  #plan(course: Course): void {
    const count = Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1));
    for (let number = 0; number < count; number += 1) this.#queues.push([]);
    const give = (task: Task) => this.#queues[task.number % count]!.push(task);
    const { selection, measure, position } = course.budget as { selection: number; measure: number; position: number };
    this.#points = pointsOf(course.moves);
    this.#turns = this.evaluated.turns ? turnsOf(course.moves) : [];
    for (const part of [COARSE, 1]) {
      const worlds = (whole: number) => Math.max(2, Math.round(part * whole));
      this.#points.forEach((point, number) => {
        if (!this.#isResult(point)) give({ kind: "position", number, point, worlds: worlds(position) });
      });
      this.#turns.forEach((span, number) => give({ kind: "turn", number, span, selection: worlds(selection), measure: worlds(measure) }));
    }
    this.#all = this.#queues.reduce((total, queue) => total + queue.length, 0);
  }

  #isResult({ after }: Point): boolean {
    return this.course!.result !== null && after === this.course!.moves.length;
  }

  #hire(number: number, module: WebAssembly.Module, course: Course): void {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#workers[number] = worker;
    this.#busy[number] = true;
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
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
    if (document.hidden || this.#resting || this.#busy[number] || this.stage !== "measuring") return;
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
    if ("ready" in answer) return;
    if ("failed" in answer) {
      console.error(answer.failed);
      return this.#fail();
    }
    if ("found" in answer) this.#found.set(answer.task.number, answer.found);
    else this.#positions.set(answer.task.number, answer.sums);
    this.#done += 1;
    this.progress = this.#done / this.#all;
    const over = this.#done === this.#all;
    if (over || performance.now() - this.#told > PAUSE) this.#tell();
    if (over) this.stage = "done";
  }

  #tell(): void {
    this.#told = performance.now();
    const course = this.course!;
    if (this.#points.some((point, number) => !this.#isResult(point) && !this.#positions.has(number))) return;
    const correction = course.corrections["position"] as unknown as Correction;
    this.points = this.#points.map((point, number) =>
      positionMeasure(point, this.#isResult(point) ? certain(course.result!) : chancesOf(correction, this.#positions.get(number)!)),
    );
    if (this.#turns.some((_, number) => !this.#found.has(number))) return;
    const measures: Measures = { seats: course.seats, positions: this.points, turns: this.measures };
    this.summary = sumUp(measures);
  }
}
