/** Runs the bots of one game after the other, in short steps, so that it can rest at once. */
import { RulesModule } from "../engine/rules_module";
import { BotEngine, type Answer, type Question } from "./bot_engine";

export type ToBotWorker =
  /** The engine of a game, sent once before its first question. */
  | { kind: "engine"; game: string; module: WebAssembly.Module }
  | { kind: "decide"; game: string; question: Question }
  | { kind: "rest"; resting: boolean };

export type FromBotWorker = { kind: "decided"; answer: Answer } | { kind: "failed"; detail: string };

/** The target duration of a step, in milliseconds. */
const STEP = 8;
const MOST_IN_A_STEP = 512;

const engines = new Map<string, BotEngine>();
let wake: (() => void) | null = null;
let asleep: Promise<void> | null = null;

/** Handles pending messages; waits while the bots rest. */
const channel = new MessageChannel();
async function breathe(): Promise<void> {
  await new Promise<void>((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
  while (asleep) await asleep;
}

async function decide(game: string, question: Question): Promise<Answer> {
  await breathe();
  let size = 4;
  let began = performance.now();
  const decision = engines.get(game)!.decide(question, () => size);
  for (;;) {
    const step = decision.next();
    if (step.done) return step.value;
    const took = Math.max(0.05, performance.now() - began);
    if (took >= STEP / 2) await breathe();
    size = Math.max(1, Math.min(MOST_IN_A_STEP, Math.round((size * STEP) / took)));
    began = performance.now();
  }
}

onmessage = ({ data }: MessageEvent<ToBotWorker>) => {
  const say = (message: FromBotWorker): void => postMessage(message);
  switch (data.kind) {
    case "engine":
      engines.set(data.game, new BotEngine(new RulesModule(data.module)));
      break;
    case "decide":
      decide(data.game, data.question).then(
        (answer) => say({ kind: "decided", answer }),
        (error: unknown) => say({ kind: "failed", detail: String(error) }),
      );
      break;
    case "rest":
      wake?.();
      asleep = data.resting ? new Promise((resolve) => (wake = resolve)) : null;
      break;
  }
};
