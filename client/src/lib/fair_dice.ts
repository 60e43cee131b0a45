/**
 * Fair dice: we commit to our share before the table's secret is fixed and reveal it afterwards. The
 * commitments are stored here and compared with what is revealed when the game is over.
 */
import type { Draws, Table } from "../generated/messages";
import type { Request } from "./connection";
import { json, listGames } from "./http";
import { keepTable, keptTable } from "./tables";

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Browsers offer crypto.subtle only with HTTPS, which home networks often lack.
  const subtle = (globalThis.crypto as Partial<Crypto>).subtle;
  if (subtle) return hex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
  return hex((await import("./sha256")).sha256(bytes));
}

export const sealOf = (nonce: string): Promise<string> => sha256(new TextEncoder().encode(nonce));

export interface Share {
  nonce: string;
  seal: string;
}

export async function newShare(): Promise<Share> {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  return { nonce, seal: await sealOf(nonce) };
}

/** A new share for a table, stored beside earlier ones, because we may not know which of them reached the
 * table. */
export function keepShare(table: string, nonce: string): void {
  const before = keptTable(table)?.nonces ?? [];
  keepTable(table, { nonces: [...before.slice(-3), nonce] });
}

/** The number of times our commitment was replaced; another device with our seat may replace it, too. */
let replaced = 0;
const MOST_REPLACED = 5;

/** Returns the messages about dice that are due now; `seats` are ours. */
export async function nextStep(table: Table, seats: readonly number[]): Promise<Request | null> {
  if (seats.length === 0) return null;
  if (table.origin && table.origin !== table.id) {
    // Another table fixed the deal before we sat down: note its commitment when we first see it.
    if (!keptTable(table.id)?.saw) keepTable(table.id, { saw: { commitment: table.commitment, seals: table.seals } });
    return null;
  }
  if (table.stage !== "gathering") return null;
  const { nonces = [], saw } = keptTable(table.id) ?? {};
  const ours = new Map<string, string>();
  for (const nonce of nonces) ours.set(await sealOf(nonce), nonce);
  if (table.drawing) {
    // A nonce is opened for the first commitment that was shown for it, and for no other.
    if (saw && saw.commitment !== table.commitment && seats.some((seat) => saw.seals[seat] === table.seals[seat])) return null;
    keepTable(table.id, { saw: { commitment: table.commitment, seals: table.seals } });
    const nonce = seats.filter((seat) => table.nonces[seat] === "").map((seat) => ours.get(table.seals[seat]!)).find(Boolean);
    return nonce ? { type: "open_nonce", nonce } : null;
  }
  const sealed = seats.every((seat) => ours.has(table.seals[seat]!) && saw?.seals[seat] !== table.seals[seat]);
  if (table.commitment || sealed || replaced >= MOST_REPLACED) return null;
  replaced += 1;
  const { nonce, seal } = await newShare();
  keepShare(table.id, nonce);
  return { type: "seal_nonce", seal };
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array((text.match(/../g) ?? []).map((byte) => parseInt(byte, 16)));

/** Whether the revealed values match the commitments that we saw: `without` if our share did not count;
 * null if we did not see them. */
export async function verdict(table: Table, seats: readonly number[]): Promise<"fair" | "without" | "foul" | null> {
  const saw = keptTable(table.id)?.saw;
  if (!saw || !table.secret) return null;
  const secret = bytesOf(table.secret);
  if ((await sha256(secret)) !== saw.commitment || table.commitment !== saw.commitment) return "foul";
  for (const [seat, seal] of saw.seals.entries()) {
    const nonce = table.nonces[seat] ?? "";
    if (seal !== (nonce && (await sealOf(nonce)))) return "foul";
  }
  const own = !table.origin || table.origin === table.id;
  return own && seats.some((seat) => saw.seals[seat]) ? "fair" : "without";
}

/** The verdict on the commitments and on the chance itself: "fair" and "without" only after the deal, every
 * outcome and the scores were recomputed here; "sealed" if that was not possible. */
export async function checkedVerdict(table: Table, seats: readonly number[]): Promise<"fair" | "without" | "sealed" | "foul" | null> {
  const seals = await verdict(table, seats);
  if (!seals || seals === "foul") return seals;
  try {
    const address = (await listGames(true)).find(({ name }) => name === table.game)?.checker;
    if (!address) return "sealed";
    const [{ isRecomputed }, module, draws] = await Promise.all([
      import("../engine/recompute"),
      fetch(address).then((answer) => answer.arrayBuffer()),
      json<Draws>(`/api/tables/${table.id}/draws`),
    ]);
    const secret = { secret: bytesOf(table.secret!), nonces: table.nonces };
    return (await isRecomputed(module, secret, draws, table.result?.scores ?? [])) ? seals : "foul";
  } catch {
    return "sealed";
  }
}
