/** Runs the engine in short steps, so that it can stop or pause at once. */
import { Engine } from "./engine";
import { RulesModule } from "./rules_module";
import { TurnSearch } from "./turn_search";
import type { FromWorker, ToWorker } from "./worker_messages";

/** The target duration of a step, in milliseconds. */
const PIECE = 8;
const MOST_IN_A_PIECE = 512;

let rules: RulesModule | null = null;
let engine: Engine | null = null;
/** Made once, because memory of the module is never freed. */
let search: TurnSearch | null = null;
/** The number of the current task; 0 if idle. */
let current = 0;
let wake: (() => void) | null = null;
let asleep: Promise<void> | null = null;

const say = (message: FromWorker): void => postMessage(message);

/** Handles pending messages; waits while the page is hidden. */
const channel = new MessageChannel();
async function breathe(): Promise<void> {
  await new Promise<void>((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
  while (asleep) await asleep;
}

/** Returns the size of the next step, from the duration of the last one. */
const nextPiece = (piece: number, began: number): number =>
  Math.max(1, Math.min(MOST_IN_A_PIECE, Math.round((piece * PIECE) / Math.max(0.05, performance.now() - began))));

async function think({ task, sight, seed, most, within }: ToWorker & { kind: "think" }): Promise<void> {
  search ??= new TurnSearch(rules!, engine!, sight);
  const before = search.simulations;
  const end = performance.now() + within;
  for (let number = 0; ; number++) {
    await breathe();
    if (task !== current) return;
    const pass = search.pass(sight, seed, number);
    let began = performance.now();
    let step = pass.next();
    for (; !step.done; step = pass.next()) {
      if (performance.now() - began < PIECE) continue;
      await breathe();
      if (task !== current) return;
      began = performance.now();
    }
    const simulations = search.simulations - before;
    const finished = simulations >= most || performance.now() >= end;
    say({ kind: "found", task, found: step.value, simulations, finished });
    if (finished) return;
  }
}

async function score({ task, sight, actions, seed, playouts }: ToWorker & { kind: "score" }): Promise<void> {
  search ??= new TurnSearch(rules!, engine!, sight);
  const lastView = search.lastView(sight, actions);
  const scores: number[][] = [];
  for (let number = 0; number < playouts; number += 1) {
    scores.push(engine!.finalScores(lastView, sight.seats, seed, number, actions.at(-1)!));
    await breathe();
    if (task !== current) return;
  }
  say({ kind: "scored", task, scores });
}

async function playOut({ task, sight, seed, goals, playouts, within, action }: ToWorker & { kind: "play_out" }): Promise<void> {
  let piece = 2;
  const end = performance.now() + within;
  for (let first = 0, finished = false; !finished; ) {
    const began = performance.now();
    const count = Math.min(piece, playouts - first);
    const result = engine!.playOut(sight.view, sight.seats, goals, seed, first, count, action);
    first += count;
    piece = nextPiece(count, began);
    await breathe();
    if (task !== current) return;
    finished = first >= playouts || performance.now() >= end;
    say({ kind: "played_out", task, result, finished });
  }
}

function hear(message: ToWorker): void {
  switch (message.kind) {
    case "load":
      rules = new RulesModule(message.module);
      engine = new Engine(rules);
      break;
    case "think":
    case "score":
    case "play_out": {
      const { task } = message;
      current = task;
      const work = message.kind === "think" ? think(message) : message.kind === "score" ? score(message) : playOut(message);
      work.catch((error: unknown) => say({ kind: "failed", task, message: String(error) }));
      break;
    }
    case "stop":
      current = 0;
      break;
    case "sleep":
      wake?.();
      asleep = message.asleep ? new Promise((resolve) => (wake = resolve)) : null;
      break;
  }
}

onmessage = ({ data }: MessageEvent<ToWorker>) => hear(data);
