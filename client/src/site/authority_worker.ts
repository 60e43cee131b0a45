/** The tables of this browser: the Python service in a worker, with its store and its bots. */
import type { GameDescription } from "../generated/messages";
import { Bots } from "./bots";
import type { Question } from "./bot_engine";
import type { FromAuthority, Start, ToAuthority } from "./messages";
import { Rows } from "./rows";
import { note, startPython, times } from "./runtime";

interface Channel {
  receive(text: string): void;
  close(): void;
  destroy(): void;
}

/** `archipel.tab.authority.Authority`. */
interface Authority {
  open(table: string, send: (text: string) => void, closed: () => void): Channel;
  ask(path: string, language: string, body: string | undefined): Promise<{ toJs(): [number, string]; destroy(): void }>;
  export_tables(kept: string): Promise<{ toJs(): [number, string, Uint8Array | undefined]; destroy(): void }>;
  pack_table(table: string): Promise<{ toJs(): [number, Uint8Array]; destroy(): void }>;
  import_tables(file: Uint8Array): Promise<{ toJs(): [number, string]; destroy(): void }>;
}

const say = (message: FromAuthority): void => postMessage(message);
const channels = new Map<string, Channel>();

async function answer(authority: Authority, message: ToAuthority): Promise<void> {
  switch (message.kind) {
    case "open": {
      const { channel, table } = message;
      const closed = () => {
        // After the call from Python that this is.
        queueMicrotask(() => channels.get(channel)?.destroy());
        queueMicrotask(() => channels.delete(channel));
        say({ kind: "closed", channel });
      };
      channels.set(channel, authority.open(table, (text) => say({ kind: "text", channel, text }), closed));
      break;
    }
    case "text":
      channels.get(message.channel)?.receive(message.text);
      break;
    case "close":
      channels.get(message.channel)?.close();
      break;
    case "ask": {
      const { request, path, language, body } = message;
      // Python's None is `undefined`, not `null`.
      const answered = await authority.ask(path, language, body ?? undefined);
      const [status, text] = answered.toJs();
      answered.destroy();
      say({ kind: "answer", request, status, text });
      break;
    }
    case "export": {
      const answered = await authority.export_tables(message.kept);
      const [status, text, file] = answered.toJs();
      answered.destroy();
      say({ kind: "answer", request: message.request, status, text, ...(file ? { file } : {}) });
      break;
    }
    case "pack": {
      const { request, table } = message;
      try {
        const packed = await authority.pack_table(table);
        const [n, file] = packed.toJs();
        packed.destroy();
        say({ kind: "answer", request, status: 200, text: String(n), file });
      } catch (error) {
        say({ kind: "answer", request, status: 404, text: String(error) });
      }
      break;
    }
    case "import": {
      const answered = await authority.import_tables(message.file);
      const [status, text] = answered.toJs();
      answered.destroy();
      say({ kind: "answer", request: message.request, status, text });
      break;
    }
    case "packages":
    case "rest":
      break;
  }
}

async function start({ runtime, site, server }: Start): Promise<void> {
  const games = fetch(new URL("api/games.json", site)).then((response) => response.json() as Promise<GameDescription[]>);
  const bots = new Bots(async (game) => {
    const engine = (await games).find(({ name }) => name === game)?.engine;
    if (!engine) throw new Error(`there is no engine for ${game}`);
    return WebAssembly.compile(await (await fetch(new URL(engine.slice(1), site))).arrayBuffer());
  });
  let given: (packages: Uint8Array<ArrayBuffer> | null) => void = () => undefined;
  const packages = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const found = await new Promise<Uint8Array<ArrayBuffer> | null>((resolve) => {
      given = resolve;
      say({ kind: "fetch_packages" });
    });
    if (!found) throw new Error("archipel.zip did not arrive");
    return found;
  };
  const early: ToAuthority[] = [];
  let authority: Authority | null = null;
  onmessage = ({ data }: MessageEvent<ToAuthority>) => {
    if (data.kind === "rest") bots.rest(data.resting);
    else if (data.kind === "packages") given(data.packages);
    else if (authority) void answer(authority, data);
    else early.push(data);
  };
  const opening = Rows.open(`archipel ${site}`, () => say({ kind: "failed", why: "removed", detail: "the database was closed" }));
  const python = startPython(runtime, { progress: (done) => say({ kind: "loading", done }), packages });
  let rows: Rows;
  try {
    rows = await opening;
  } catch (error) {
    python.catch(() => undefined);
    return say({ kind: "failed", why: "storage", detail: String(error) });
  }
  try {
    const host = {
      server,
      get: (key: string) => rows.get(key),
      scan: (first: string, end: string, limit: number) => rows.scan(first, end, limit),
      close: () => rows.close(),
      async commit(changes: [string, Uint8Array | null | undefined][]) {
        try {
          await rows.commit(changes);
        } catch (error) {
          if ((error as Error).name === "QuotaExceededError") say({ kind: "failed", why: "full", detail: "" });
          throw error;
        }
      },
      decide: async (game: string, question: string) => JSON.stringify(await bots.decide(game, JSON.parse(question) as Question)),
    };
    const module = (await python).pyimport("archipel.tab.start") as { start(given: typeof host): Promise<Authority> };
    authority = await module.start(host);
    note("ready");
    say({ kind: "ready", times });
    for (const message of early.splice(0)) void answer(authority, message);
  } catch (error) {
    say({ kind: "failed", why: "runtime", detail: String(error) });
  }
}

onmessage = ({ data }: MessageEvent<Start>) => void start(data);
