import { readingTime } from "../lib/pace";

interface Line {
  text: string;
  /** By when one can have read it, after everything before it. */
  readBy: number;
}

/** What has been told of late, for as long as it takes to read it: a sentence that was overtaken by
 * the next one, or by a question, stays to be seen until then. */
export class Captions {
  #lines = $state.raw<readonly Line[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The sentences that nobody can have read yet, the first one first. */
  get texts(): readonly string[] {
    return this.#lines.map(({ text }) => text);
  }

  /** How long it takes until all of them can have been read. */
  get left(): number {
    return Math.max(0, (this.#lines.at(-1)?.readBy ?? 0) - Date.now());
  }

  /** It stays as long as it takes to read it, or longer. */
  say(text: string, longer = 0): void {
    if (!text) return;
    const from = Math.max(this.#lines.at(-1)?.readBy ?? 0, Date.now());
    this.#lines = [...this.#lines, { text, readBy: from + Math.max(readingTime(text), longer) }];
    this.#expect();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#lines = [];
  }

  #expect(): void {
    clearTimeout(this.#timer);
    const first = this.#lines[0];
    if (!first) return;
    this.#timer = setTimeout(() => {
      this.#lines = this.#lines.slice(1);
      this.#expect();
    }, Math.max(0, first.readBy - Date.now()));
  }
}
