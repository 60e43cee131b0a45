/** Workers for bots: loads engines when they are needed, and gives each question to an idle worker. */
import type { FromBotWorker, ToBotWorker } from "./bot_worker";
import type { Answer, Question } from "./bot_engine";

/** One core stays free for the page, one for the tables. */
const MOST_WORKERS = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 2));

interface BotWorker {
  worker: Worker;
  games: Set<string>;
}

export class Bots {
  readonly #modules = new Map<string, Promise<WebAssembly.Module>>();
  readonly #all: BotWorker[] = [];
  readonly #idle: BotWorker[] = [];
  readonly #waiting: ((worker: BotWorker) => void)[] = [];
  #resting = false;

  /** `load` fetches the engine of a game. */
  constructor(private readonly load: (game: string) => Promise<WebAssembly.Module>) {}

  /** Fetch an engine that will be needed. */
  prepare(game: string): Promise<WebAssembly.Module> {
    let module = this.#modules.get(game);
    if (!module) {
      module = this.load(game);
      this.#modules.set(game, module);
      module.catch(() => this.#modules.delete(game)); // try again next time
    }
    return module;
  }

  async decide(game: string, question: Question): Promise<Answer> {
    const module = await this.prepare(game);
    const found = await this.#worker();
    try {
      return await this.#ask(found, game, module, question);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(found);
      else this.#idle.push(found);
    }
  }

  rest(resting: boolean): void {
    this.#resting = resting;
    for (const { worker } of this.#all) worker.postMessage({ kind: "rest", resting } satisfies ToBotWorker);
  }

  #ask({ worker, games }: BotWorker, game: string, module: WebAssembly.Module, question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromBotWorker>) => (data.kind === "decided" ? resolve(data.answer) : reject(new Error(data.detail)));
      worker.onerror = (event) => reject(new Error(event.message));
      if (!games.has(game)) worker.postMessage({ kind: "engine", game, module } satisfies ToBotWorker);
      games.add(game);
      worker.postMessage({ kind: "decide", game, question } satisfies ToBotWorker);
    });
  }

  async #worker(): Promise<BotWorker> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#all.length >= MOST_WORKERS) return new Promise((resolve) => this.#waiting.push(resolve));
    const made = { worker: new Worker(new URL("./bot_worker.ts", import.meta.url), { type: "module" }), games: new Set<string>() };
    if (this.#resting) made.worker.postMessage({ kind: "rest", resting: true } satisfies ToBotWorker);
    this.#all.push(made);
    return made;
  }
}
