/** What the page is told of when it cannot be as it should: see `App.svelte`. */
class Trouble {
  /** How many parts of the page have not arrived, and are being fetched again. */
  missing = $state(0);
  /** Something happened that nobody had thought of, a moment ago. */
  unexpected = $state(false);
  #over: ReturnType<typeof setTimeout> | undefined;

  happens(): void {
    this.unexpected = true;
    clearTimeout(this.#over);
    this.#over = setTimeout(() => (this.unexpected = false), 15_000);
  }
}

export const trouble = new Trouble();

const WAITS = [500, 1_000, 2_000, 4_000, 8_000];

/** Wait, but no longer than until the network is back. */
function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    globalThis.addEventListener?.("online", done);
  });
}

/** Browsers say in words of their own that a file did not come; anything else is a mistake of ours. */
const didNotCome = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.message.startsWith("Unable to preload"));

/** Style sheets that did not come. Whoever asked for one takes it for known, and never asks again. */
const missingStyles = new Set<HTMLLinkElement>();
globalThis.addEventListener?.(
  "error",
  ({ target }) => void (target instanceof HTMLLinkElement && target.rel === "stylesheet" && missingStyles.add(target)),
  true,
);

/** Ask once more for what is missing. */
async function fetchStyles(): Promise<void> {
  for (const link of [...missingStyles]) {
    missingStyles.delete(link);
    const next = link.cloneNode() as HTMLLinkElement;
    await new Promise((resolve, reject) => {
      next.onload = resolve;
      next.onerror = () => reject(new TypeError(`no ${next.href}`));
      link.replaceWith(next);
    });
  }
}

/**
 * Load a part of the page, however long the network is away: it is tried again and again, and
 * whoever waits is told.
 */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  let told = false;
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (attempt > 0) await fetchStyles();
        return await load();
      } catch (error) {
        if (!didNotCome(error)) throw error;
      }
      if (!told) trouble.missing += 1;
      told = true;
      await later(WAITS[Math.min(attempt, WAITS.length - 1)]!);
    }
  } finally {
    if (told) trouble.missing -= 1;
  }
}
