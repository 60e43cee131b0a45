import { beforeEach, describe, expect, it } from "vitest";
import { carriedFrom, unpackCarried } from "../src/lib/carrying";
import { readPlace } from "../src/lib/route.svelte";
import { forgetTable, keepTable, keptTable } from "../src/lib/tables";

const TABLE = "table-0001";
const TOKEN = "t".repeat(43);
const SAW = { commitment: "c".repeat(64), seals: ["", "s".repeat(64)] };

const stored = new Map<string, string>();
Object.assign(globalThis, {
  localStorage: { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, text: string) => stored.set(key, text) },
});

/** What the page of the server keeps of a link. */
function brought(fragment: string) {
  forgetTable(TABLE);
  const place = readPlace({ pathname: `/t/${TABLE}`, search: "", hash: `#${fragment}` });
  if (place.page !== "table" || !place.carried) return undefined;
  unpackCarried(TABLE, place.carried);
  return keptTable(TABLE);
}

const packed = (value: unknown) => `moved=${btoa(JSON.stringify(value)).replace(/=+$/, "")}`;

describe("what a player carries to a server", () => {
  beforeEach(() => stored.clear());

  it("is the seat and what the dice are checked with", () => {
    keepTable(TABLE, { token: TOKEN, nonces: ["n"], saw: SAW, invitations: ["i"], openSeats: [1], muted: ["Éva"], seen: 9, over: true });
    const { at, ...kept } = brought(carriedFrom(TABLE))!;
    expect(at).toBeGreaterThan(0);
    expect(kept).toEqual({ token: TOKEN, nonces: ["n"], saw: SAW, invitations: ["i"], openSeats: [1], muted: ["Éva"], game: "", seen: 0 });
  });

  it("is nothing without a seat", () => {
    expect(carriedFrom(TABLE)).toBe("");
    keepTable(TABLE, { nonces: ["n"] });
    expect(carriedFrom(TABLE)).toBe("");
  });

  it("does not replace a seat", () => {
    keepTable(TABLE, { token: "mine".repeat(8) });
    unpackCarried(TABLE, packed({ token: TOKEN }).slice("moved=".length));
    expect(keptTable(TABLE)?.token).toBe("mine".repeat(8));
  });

  it.each([null, 1, "x", {}, { token: 1 }, { token: "short" }, { token: `${TOKEN}!` }])("is not %j", (value) => {
    expect(brought(packed(value))).toBeUndefined();
  });

  it("leaves out what does not fit", () => {
    const odd = { token: TOKEN, nonces: [1], saw: { commitment: 1 }, invitations: "x", openSeats: ["a"], muted: {}, seen: 7, game: "chess" };
    const { at: _, ...kept } = brought(packed(odd))!;
    expect(kept).toEqual({ token: TOKEN, game: "", seen: 0 });
  });
});
