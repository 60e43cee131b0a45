import type {
  Done,
  FromBrowser,
  Hello,
  LogPage,
  Looked,
  Reason,
  Presence,
  Problem,
  ToBrowser,
  Update,
  LinesTold,
  PlanTold,
  ViewSeen,
  Welcome,
} from "../generated/messages";
import type { Socket } from "./transport";

export type Status = "connecting" | "online" | "offline" | "ended";
type News = Welcome | Update | Presence;
export type Answer = Done | Looked | LogPage | ViewSeen | LinesTold | PlanTold | Reason;
type WithoutId<M> = M extends { id: string } ? Omit<M, "id"> : never;
export type Request = WithoutId<FromBrowser>;

export interface Listener {
  hello(): Hello | Promise<Hello>;
  news(message: News): void;
  status(status: Status): void;
  /** Whether the server could not say what became of a request, which is being asked again. */
  unsure(unsure: boolean): void;
  /** The table refused the connection; it is not tried again. */
  refused(problem: Problem): void;
}

export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

const PING_EVERY = 10_000;
const DEAD_AFTER = 25_000;
const ANSWERS_WITHIN = 3_000;
const PING = '{"type":"ping"}';
/** Refusals of a hello that pass by themselves: the server closes the socket, and we try again. */
const PASSING = new Set(["unavailable", "stopping", "too_many"]);
const WAITS = [300, 1_000, 2_000, 4_000, 8_000];

let counter = 0;
const newId = (): string =>
  `${Date.now().toString(36)}-${(counter++).toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

/**
 * A connection to one table that reconnects by itself. A request keeps its id and is sent again
 * after a reconnection, or if the server does not know its outcome, until it is answered, so it is
 * performed exactly once.
 */
export class Connection {
  #socket: Socket | null = null;
  #welcomed = false;
  #ended = false;
  #failures = 0;
  #heard = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  /** By id; `doubts` counts the answers that the outcome is unknown. */
  #waiting = new Map<
    string,
    { text: string; doubts: number; resolve: (answer: Answer) => void; reject: (why: Refusal) => void }
  >();

  constructor(
    private readonly listener: Listener,
    private readonly open: () => Socket,
  ) {}

  start(): void {
    if (this.#ended || this.#socket) return;
    this.listener.status("connecting");
    this.#welcomed = false;
    const socket = this.open();
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onopen = () => {
      const hello = this.listener.hello();
      const say = (hello: Hello) => {
        if (socket === this.#socket) this.#send(JSON.stringify(hello));
      };
      if (hello instanceof Promise) void hello.then(say);
      else say(hello);
    };
    socket.onmessage = (event: { data: unknown }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(event.data)) as ToBrowser);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#broken();
    };
    clearInterval(this.#beat);
    this.#beat = setInterval(() => this.#heartbeat(), PING_EVERY);
  }

  /** The network changed: reconnect at once instead of waiting, and do not trust a socket
   * that may be open at one end only. */
  hurry(): void {
    if (this.#ended) return;
    if (this.#socket) this.#doubt(this.#socket);
    else {
      clearTimeout(this.#retry);
      this.start();
    }
  }

  /** Reconnect with a new hello. */
  renew(): void {
    if (this.#ended) return;
    clearTimeout(this.#retry);
    this.#drop();
    this.start();
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#retry);
    clearInterval(this.#beat);
    this.#drop();
    this.listener.status("ended");
  }

  request<T extends Answer>(wish: Request): Promise<T> {
    const id = newId();
    const text = JSON.stringify({ ...wish, id });
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { text, doubts: 0, resolve: resolve as (answer: Answer) => void, reject });
      if (this.#welcomed) this.#send(text);
    });
  }

  get unanswered(): number {
    return this.#waiting.size;
  }

  /** Browsers report an error for what is sent while a socket closes. */
  #send(text: string): void {
    if ((this.#socket?.readyState ?? 1) < 2) this.#socket?.send(text);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    socket?.close();
  }

  #broken(): void {
    clearInterval(this.#beat);
    this.#drop();
    if (this.#ended) return;
    this.listener.status("offline");
    const wait = WAITS[Math.min(this.#failures, WAITS.length - 1)]!;
    this.#failures += 1;
    this.#retry = setTimeout(() => this.start(), wait * (0.75 + Math.random() / 2));
  }

  /** Treat a socket without a timely answer as broken. */
  #doubt(socket: Socket): void {
    if (!this.#welcomed) return;
    const asked = Date.now();
    this.#send(PING);
    setTimeout(() => {
      if (socket === this.#socket && this.#heard < asked) this.#broken();
    }, ANSWERS_WITHIN);
  }

  #heartbeat(): void {
    // A socket can be half-open: detect it by silence.
    if (Date.now() - this.#heard > DEAD_AFTER) this.#broken();
    else if (this.#welcomed) this.#send(PING);
  }

  #receive(message: ToBrowser): void {
    this.#heard = Date.now();
    switch (message.type) {
      case "welcome":
        this.#welcomed = true;
        this.#failures = 0;
        this.listener.status("online");
        this.listener.news(message);
        for (const { text } of this.#waiting.values()) this.#send(text);
        break;
      case "update":
      case "presence":
        this.listener.news(message);
        break;
      case "done":
      case "looked":
      case "log_page":
      case "view_seen":
      case "lines_told":
      case "plan_told":
      case "reason":
        this.#settle(message.id)?.resolve(message);
        break;
      case "refused":
        if (message.id !== null) this.#settle(message.id)?.reject(new Refusal(message.problem));
        else if (!this.#welcomed && PASSING.has(message.problem.code)) this.#broken();
        else if (!this.#welcomed) {
          this.end();
          this.listener.refused(message.problem);
        }
        break;
      case "unknown":
        this.#askAgain(message.id);
        break;
      case "pong":
        break;
    }
  }

  /** Repeats a request with the same id, which the server performs once, until it knows the outcome. */
  #askAgain(id: string): void {
    const asked = this.#waiting.get(id);
    if (!asked) return;
    const wait = WAITS[Math.min(asked.doubts, WAITS.length - 1)]!;
    asked.doubts += 1;
    this.listener.unsure(true);
    setTimeout(() => {
      if (this.#welcomed && this.#waiting.has(id)) this.#send(asked.text);
    }, wait);
  }

  #settle(id: string) {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (found?.doubts && ![...this.#waiting.values()].some(({ doubts }) => doubts)) this.listener.unsure(false);
    return found;
  }
}
