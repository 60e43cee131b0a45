/** Runs the engine in short steps, so that it can stop or pause at once. */
import { Engine } from "./engine";
import { RulesModule } from "./rules_module";
import type { FromWorker, ToWorker } from "./worker_messages";

/** Simulations of the first search: enough for a first answer. Each further one has twice as many, up to a limit. */
const FIRST = 48;
const LARGEST = 3072;
/** The target duration of a step, in milliseconds. */
const PIECE = 8;
const MOST_IN_A_PIECE = 512;

let engine: Engine | null = null;
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
  let simulations = 0;
  let piece = 2;
  const end = performance.now() + within;
  for (let pass = 0; ; pass++) {
    engine!.begin(sight.view, sight.seats, Math.min(LARGEST, FIRST << Math.min(pass, 16)), seed + BigInt(pass));
    for (let done = false; !done; ) {
      const began = performance.now();
      const made = engine!.explore(piece);
      simulations += made;
      done = made < piece;
      if (!done) piece = nextPiece(piece, began);
      await breathe();
      if (task !== current) return;
    }
    const finished = simulations >= most || performance.now() >= end;
    say({ kind: "found", task, found: engine!.found, simulations, finished });
    if (finished) return;
  }
}

async function playOut({ task, sight, seed, hopes, playouts, within, action }: ToWorker & { kind: "play_out" }): Promise<void> {
  let piece = 2;
  const end = performance.now() + within;
  for (let first = 0, finished = false; !finished; ) {
    const began = performance.now();
    const count = Math.min(piece, playouts - first);
    const result = engine!.playOut(sight.view, sight.seats, hopes, seed, first, count, action);
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
      engine = new Engine(new RulesModule(message.module));
      break;
    case "think":
    case "play_out": {
      const { task } = message;
      current = task;
      const work = message.kind === "think" ? think(message) : playOut(message);
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
