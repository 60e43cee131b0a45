import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadWithRetry, trouble } from "../src/lib/loading.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a part of the page that fails to load", () => {
  it("is fetched again until it loads, and counts as missing meanwhile", async () => {
    let tries = 0;
    const loading = loadWithRetry(async () => {
      tries += 1;
      if (tries < 4) throw new TypeError("Failed to fetch dynamically imported module");
      return "here";
    });
    await vi.advanceTimersByTimeAsync(0);
    expect([tries, trouble.missing]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(500);
    expect([tries, trouble.missing]).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(3_000);
    await expect(loading).resolves.toBe("here");
    expect([tries, trouble.missing]).toEqual([4, 0]);
  });

  it("counts as missing once per pending load", async () => {
    let away = true;
    const load = async () => {
      if (away) throw new TypeError("Failed to fetch dynamically imported module");
      return 1;
    };
    const both = Promise.all([loadWithRetry(load), loadWithRetry(load)]);
    await vi.advanceTimersByTimeAsync(0);
    expect(trouble.missing).toBe(2);
    away = false;
    await vi.advanceTimersByTimeAsync(500);
    await expect(both).resolves.toEqual([1, 1]);
    expect(trouble.missing).toBe(0);
  });

  it("is not fetched again unless the download failed", async () => {
    await expect(loadWithRetry(() => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
    expect(trouble.missing).toBe(0);
  });
});
