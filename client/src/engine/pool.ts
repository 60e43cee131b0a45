/** Runs the engine in several workers, with independent searches whose results are summed. */
import type { PlayedOut } from "./engine";
import { TurnTally, type RankedTurn } from "./ranking";
import type { FromWorker, Sight, ToWorker } from "./worker_messages";

export interface Found {
  /** Best first. */
  turns: RankedTurn[];
  simulations: number;
  /** The search has ended. */
  finished: boolean;
}

/** One core stays free for the page; more workers would help little and need much memory. */
const MOST_WORKERS = 8;
const workersHere = (): number => Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1));

/** The first seed; consecutive seeds give independent searches. */
function someSeed(): bigint {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (BigInt(high! & 0x7fffffff) << 32n) | BigInt(low!);
}

/** The time limit in milliseconds, to save battery. */
const LONG_ENOUGH = 12_000;

/** The distance between the seeds of two workers, so that they never overlap. */
const APART = 1n << 20n;

export class EnginePool {
  readonly #workers: Promise<Worker[]>;
  #task = 0;
  readonly #watch = () => void this.#tell({ kind: "sleep", asleep: document.hidden });

  constructor(address: string, count = workersHere()) {
    this.#workers = this.#start(address, count);
    this.#workers.catch(() => undefined); // whoever uses it hears of it
    document.addEventListener("visibilitychange", this.#watch);
  }

  async #start(address: string, count: number): Promise<Worker[]> {
    const module = await WebAssembly.compileStreaming(fetch(address));
    const workers = Array.from({ length: count }, () => new Worker(new URL("./engine_worker.ts", import.meta.url), { type: "module" }));
    for (const worker of workers) {
      worker.postMessage({ kind: "load", module } satisfies ToWorker);
      if (document.hidden) worker.postMessage({ kind: "sleep", asleep: true } satisfies ToWorker);
    }
    return workers;
  }

  async #tell(message: ToWorker): Promise<void> {
    for (const worker of await this.#workers.catch(() => [])) worker.postMessage(message);
  }

  /** Searches whole turns of the seat to move until `stop` or a number of simulations. It may `fail` after
   * the start, too. */
  async think(sight: Sight, most: number, report: (found: Found) => void, fail: (why: Error) => void): Promise<void> {
    const tally = new TurnTally();
    const made = new Map<number, number>();
    let left = 0;
    await this.#share(
      (task, seed, share) => ({ kind: "think", task, sight, seed, most: Math.ceil(most * share), within: LONG_ENOUGH }),
      (message, worker, count) => {
        if (message.kind !== "found") return;
        left ||= count;
        if (message.finished) left -= 1;
        made.set(worker, message.simulations);
        tally.add(message.found);
        const simulations = [...made.values()].reduce((sum, each) => sum + each, 0);
        report({ turns: tally.ranked(sight.seat), simulations, finished: left === 0 });
      },
      fail,
    );
  }

  /** The final scores of all seats in games that start with a turn. Equal seeds give comparable games. */
  async score(sight: Sight, actions: number[], playouts: number, seed: bigint): Promise<number[][]> {
    const scores: number[][] = [];
    let left = 0;
    return new Promise((resolve, reject) => {
      this.#share(
        (task, _, share, worker) => ({ kind: "score", task, sight, actions, seed: seed + BigInt(worker), playouts: Math.ceil(playouts * share) }),
        (message, worker, count) => {
          if (message.kind !== "scored") return reject(new Error("what was asked for before is not over"));
          left ||= count;
          message.scores.forEach((each, number) => (scores[number * count + worker] = each));
          if (--left === 0) resolve(scores);
        },
        reject,
      ).catch(reject);
    });
  }

  /** Runs rollouts for a seat: a number of them, or for a time in milliseconds; `action`, if given, is
   * played first. */
  async playOut(
    sight: Sight,
    goals: number,
    playouts: number,
    { within = Infinity, action = null }: { within?: number; action?: number | null } = {},
  ): Promise<PlayedOut> {
    const sum: PlayedOut = { playouts: 0, wins: Array(sight.seats).fill(0), goals: Array.from({ length: goals }, () => Array(sight.seats).fill(0)) };
    const add = (to: number[], more: number[]) => more.forEach((each, seat) => (to[seat]! += each));
    let left = 0;
    return new Promise((resolve, reject) => {
      this.#share(
        (task, seed, share) => ({ kind: "play_out", task, sight, seed, goals, playouts: Math.ceil(playouts * share), within, action }),
        (message, _, count) => {
          if (message.kind !== "played_out") return reject(new Error("what was asked for before is not over"));
          left ||= count;
          sum.playouts += message.result.playouts;
          add(sum.wins, message.result.wins);
          message.result.goals.forEach((row, goal) => add(sum.goals[goal]!, row));
          if (message.finished && --left === 0) resolve(sum);
        },
        reject,
      ).catch(reject);
    });
  }

  /** Gives each worker its part of a new task. */
  async #share(
    part: (task: number, seed: bigint, share: number, worker: number) => ToWorker,
    hear: (message: FromWorker, worker: number, count: number) => void,
    fail: (why: Error) => void,
  ): Promise<void> {
    const task = ++this.#task;
    const seed = someSeed();
    const workers = await this.#workers;
    if (task !== this.#task) return;
    workers.forEach((worker, number) => {
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.task !== this.#task) return;
        if (data.kind === "failed") fail(new Error(data.message));
        else hear(data, number, workers.length);
      };
      worker.postMessage(part(task, seed + BigInt(number) * APART, 1 / workers.length, number));
    });
  }

  /** Stops the workers and discards their results. */
  stop(): void {
    this.#task += 1;
    void this.#tell({ kind: "stop" });
  }

  close(): void {
    this.#task += 1;
    document.removeEventListener("visibilitychange", this.#watch);
    void this.#workers.then((workers) => workers.forEach((worker) => worker.terminate())).catch(() => undefined);
  }
}
