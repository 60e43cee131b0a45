// Runs sessions of the browser client on the time, sockets and timers that the simulation gives.
// usage: node pages.mjs SESSION_MODULE; one JSON command per line, one JSON answer per line.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const nextRound = setImmediate;
let now = 0;
let random = 0;
let page = null;
let effects = [];
let numbers = 0;
let pages = new Map();
let timers = new Map();
let sockets = new Map();

Date.now = () => now;
Math.random = () => (random = (random * 1103515245 + 12345) % 2147483648) / 2147483648;
globalThis.setTimeout = (call, wait = 0) => later(call, wait, false);
globalThis.setInterval = (call, wait) => later(call, wait, true);
globalThis.clearTimeout = globalThis.clearInterval = (id) => void timers.delete(id);
globalThis.location = { origin: "http://server", reload: () => effects.push({ kind: "reload", page: page.id }) };
globalThis.document = { hidden: true, documentElement: { dataset: {} } };
globalThis.localStorage = {
  getItem: (key) => page?.storage.get(key) ?? null,
  setItem: (key, value) => page.storage.set(key, value),
};
globalThis.WebSocket = class {
  constructor() {
    this.id = ++numbers;
    this.page = page;
    sockets.set(this.id, this);
    effects.push({ kind: "open", page: page.id, socket: this.id });
  }
  send(text) {
    effects.push({ kind: "send", page: this.page.id, socket: this.id, text });
  }
  close() {
    effects.push({ kind: "close", page: this.page.id, socket: this.id });
  }
};

function later(call, wait, again) {
  const id = ++numbers;
  timers.set(id, { call, page, wait, again });
  effects.push({ kind: "timer", page: page.id, timer: id, wait });
  return id;
}

const { Session } = await import(pathToFileURL(process.argv[2]));

const commands = {
  reset({ seed }) {
    [pages, timers, sockets, numbers, random] = [new Map(), new Map(), new Map(), 0, seed];
  },
  start({ id, table, token }) {
    page = { id, storage: new Map() };
    if (token) page.storage.set("archipel.tables", JSON.stringify({ [table]: { token, game: "", seen: 0, at: 0 } }));
    page.session = new Session(table);
    pages.set(id, page);
    page.session.start();
  },
  socket({ socket, event, text }) {
    const one = sockets.get(socket);
    page = one.page;
    if (event === "open") one.onopen?.({});
    else if (event === "close") one.onclose?.({});
    else one.onmessage?.({ data: text });
  },
  timer({ timer }) {
    const one = timers.get(timer);
    if (!one) return;
    page = one.page;
    if (one.again) effects.push({ kind: "timer", page: page.id, timer, wait: one.wait });
    else timers.delete(timer);
    one.call();
  },
  request({ id, wish }) {
    page = pages.get(id);
    page.session.request(wish).then(
      (done) => effects.push({ kind: "done", page: id, n: done.n }),
      (refusal) => effects.push({ kind: "refused", page: id, code: refusal.problem?.code ?? String(refusal) }),
    );
  },
  hurry({ id }) {
    page = pages.get(id);
    page.session.hurry();
  },
  state({ id }) {
    page = pages.get(id);
    const { table, seat, latest, log, status, restored } = page.session;
    return { table, seat, position: latest, lines: log.map(({ n }) => n), status, restored };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  now = command.now;
  effects = [];
  const state = commands[command.do](command) ?? null;
  await new Promise((done) => nextRound(done)); // promises first
  console.log(JSON.stringify({ effects, state }));
}
