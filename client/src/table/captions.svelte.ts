import { readingTime } from "../lib/pace";

interface Line {
  text: string;
  /** The time by which it can be read, after all earlier ones. */
  readBy: number;
}

/** Recent captions, each shown for its reading time even after the next caption or question. */
export class Captions {
  #lines = $state.raw<readonly Line[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The sentences that are still unread, oldest first. */
  get texts(): readonly string[] {
    return this.#lines.map(({ text }) => text);
  }

  /** The time needed to read all of them. */
  get left(): number {
    return Math.max(0, (this.#lines.at(-1)?.readBy ?? 0) - Date.now());
  }

  /** Shows a sentence at least as long as reading takes. */
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
