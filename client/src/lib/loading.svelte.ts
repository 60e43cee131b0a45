/** Loading problems that `App.svelte` shows. */
class LoadingProblems {
  /** The number of parts of the page that are being loaded again. */
  missing = $state(0);
  /** An unexpected error occurred recently. */
  unexpected = $state(false);
  #over: ReturnType<typeof setTimeout> | undefined;

  happens(): void {
    this.unexpected = true;
    clearTimeout(this.#over);
    this.#over = setTimeout(() => (this.unexpected = false), 15_000);
  }
}

export const trouble = new LoadingProblems();

const WAITS = [500, 1_000, 2_000, 4_000, 8_000];

/** Wait, at most until the network is back. */
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

/** Whether an error means a failed download, which each browser words differently. */
const isDownloadError = (error: unknown): boolean => error instanceof TypeError;

/**
 * Load a part of the page, with retries for as long as the network is away. The page shows that it
 * waits.
 */
export async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  let told = false;
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await load();
      } catch (error) {
        if (!isDownloadError(error)) throw error;
      }
      if (!told) trouble.missing += 1;
      told = true;
      await later(WAITS[Math.min(attempt, WAITS.length - 1)]!);
    }
  } finally {
    if (told) trouble.missing -= 1;
  }
}
