import { beforeAll, describe, expect, it, vi } from "vitest";
import { clockText } from "../src/lib/clock";
import { useLanguage } from "../src/texts/index.svelte";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

const left = (clock_ms: number | null, clock_runs = false, since = 0) => clockText({ clock_ms, clock_runs }, since);

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await useLanguage("en");
});

describe("the time left on a clock", () => {
  it.each([
    [0, "0:00"],
    [59 * SECOND, "0:59"],
    [300 * SECOND, "5:00"],
    [HOUR - 1, "59:59"],
    [HOUR + 65 * SECOND, "1:01:05"],
    [10 * HOUR, "10 hours left"],
    [24 * HOUR - 5, "24 hours left"],
    [48 * HOUR, "2 days left"],
    [72 * HOUR - 5, "3 days left"],
  ])("of %i ms reads %s", (ms, text) => {
    expect(left(ms)).toBe(text);
  });

  it("decreases only while the clock runs, and never below zero", () => {
    expect(left(60 * SECOND, true, 15 * SECOND)).toBe("0:45");
    expect(left(60 * SECOND, false, 15 * SECOND)).toBe("1:00");
    expect(left(60 * SECOND, true, 90 * SECOND)).toBe("0:00");
    expect(left(null)).toBeNull();
  });
});
