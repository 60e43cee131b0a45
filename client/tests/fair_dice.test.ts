import { beforeEach, describe, expect, it, vi } from "vitest";
import { keepShare, newShare, nextStep, sealOf, verdict } from "../src/lib/fair_dice";
import { sha256 } from "../src/lib/sha256";
import { keepTable, keptTable } from "../src/lib/tables";
import type { Table } from "../src/generated/messages";

const bytesOf = (hex: string) => new Uint8Array(hex.match(/../g)!.map((byte) => parseInt(byte, 16)));
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const { subtle } = crypto;
const hash = async (text: string | Uint8Array<ArrayBuffer>) =>
  hexOf(new Uint8Array(await subtle.digest("SHA-256", typeof text === "string" ? new TextEncoder().encode(text) : text)));
const SECRET = "00ff10".padEnd(64, "7");
const COMMITMENT = await hash(bytesOf(SECRET));
const ANOTHER = await hash("another");
const OURS = await hash("ours");
const THEIRS = await hash("theirs");
const CHOSEN = await hash("chosen");

beforeEach(() => {
  const storage = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  });
});

const table = (changes: Partial<Table> = {}): Table =>
  ({
    id: "table-of-tests",
    stage: "gathering",
    drawing: false,
    commitment: "",
    seals: ["", ""],
    nonces: ["", ""],
    secret: null,
    ...changes,
  }) as Table;

describe("our own SHA-256", () => {
  it("equals the browser's for lengths around the block size", async () => {
    for (const length of [0, 1, 3, 31, 32, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) % 256);
      expect(hexOf(sha256(bytes)), String(length)).toBe(await hash(bytes));
    }
  });

  it("is used if the browser has none", async () => {
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    try {
      expect(await sealOf("nonce")).toBe(await hash("nonce"));
      const share = await newShare();
      expect(share.seal).toBe(await hash(share.nonce));
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe("our nonce for fair dice", () => {
  it("is sealed once, before the server commits to a secret", async () => {
    const step = await nextStep(table(), [0]);
    expect(step?.type).toBe("seal_nonce");
    const seal = (step as { seal: string }).seal;
    expect(await hash(keptTable("table-of-tests")!.nonces![0]!)).toBe(seal);
    expect(await nextStep(table({ seals: [seal, ""] }), [0])).toBeNull();
    expect(await nextStep(table(), [])).toBeNull();
    expect(await nextStep(table({ stage: "playing" }), [0])).toBeNull();
    expect(await nextStep(table({ commitment: COMMITMENT }), [0])).toBeNull();
  });

  it("is revealed after the server's commitment is stored", async () => {
    keepShare("table-of-tests", "earlier");
    keepShare("table-of-tests", "ours");
    keepShare("table-of-tests", "later");
    const drawing = table({ drawing: true, commitment: COMMITMENT, seals: [OURS, THEIRS] });
    expect(await nextStep(drawing, [0])).toEqual({ type: "open_nonce", nonce: "ours" });
    expect(keptTable("table-of-tests")?.saw).toEqual({ commitment: COMMITMENT, seals: drawing.seals });
    expect(await nextStep({ ...drawing, nonces: ["ours", ""] }, [0])).toBeNull();
  });

  it("is not opened for a second secret", async () => {
    keepShare("table-of-tests", "ours");
    const drawing = table({ drawing: true, commitment: COMMITMENT, seals: [OURS, ""] });
    await nextStep(drawing, [0]);
    expect(await nextStep({ ...drawing, commitment: ANOTHER }, [0])).toBeNull();
    expect(keptTable("table-of-tests")?.saw?.commitment).toBe(COMMITMENT);
  });

  it("is replaced after a cancelled draw", async () => {
    keepShare("table-of-tests", "ours");
    await nextStep(table({ drawing: true, commitment: COMMITMENT, seals: [OURS, ""] }), [0]);
    const again = await nextStep(table(), [0]);
    expect(again?.type).toBe("seal_nonce");
    const fresh = table({ drawing: true, commitment: ANOTHER, seals: [(again as { seal: string }).seal, ""] });
    expect((await nextStep(fresh, [0]))?.type).toBe("open_nonce");
  });
});

describe("the verdict at the end", () => {
  const seals = [OURS, THEIRS];
  const over = (changes: Partial<Table> = {}) =>
    table({ stage: "over", commitment: COMMITMENT, seals, nonces: ["ours", "theirs"], secret: SECRET, ...changes });
  const saw = (commitment = COMMITMENT, seen = seals) => keepTable("table-of-tests", { saw: { commitment, seals: seen } });

  it("is fair if secret and nonces match the stored commitments", async () => {
    saw();
    expect(await verdict(over(), [0])).toBe("fair");
    saw(COMMITMENT, ["", THEIRS]);
    expect(await verdict(over({ nonces: ["", "theirs"] }), [0])).toBe("without");
  });

  it("is missing without stored commitments or before the end", async () => {
    expect(await verdict(over(), [0])).toBeNull();
    saw();
    expect(await verdict(over({ secret: null }), [0])).toBeNull();
  });

  it("is foul after any substitution, even a consistent one", async () => {
    saw();
    const other = "ab".repeat(32);
    const forged = await hash(bytesOf(other));
    expect(await verdict(over({ secret: other }), [0])).toBe("foul");
    expect(await verdict(over({ secret: other, commitment: forged }), [0])).toBe("foul");
    expect(await verdict(over({ nonces: ["ours", "chosen"] }), [0])).toBe("foul");
    expect(await verdict(over({ nonces: ["ours", "chosen"], seals: [OURS, CHOSEN] }), [0])).toBe("foul");
    expect(await verdict(over({ nonces: ["", "theirs"] }), [0])).toBe("foul");
  });
});
