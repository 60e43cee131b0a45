/** What a player carries along when a table moves to a server: the secret of the seat, and what the dice are checked
 * with at the end. It is in the fragment of the link, which browsers do not send. */
import { keepTable, keptTable, type KeptTable } from "./tables";

const PARTS = ["token", "nonces", "saw", "invitations", "openSeats", "muted"] as const;
type Carried = Partial<Pick<KeptTable, (typeof PARTS)[number]>>;

const TOKEN = /^[A-Za-z0-9_-]{20,64}$/;
const texts = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === "string");

/** The fragment for the table's page at the server; empty for who has no seat. */
export function carriedFrom(table: string): string {
  const kept = keptTable(table);
  if (!kept?.token) return "";
  const text = JSON.stringify(Object.fromEntries(PARTS.map((part) => [part, kept[part]])));
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return `moved=${btoa(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** Keeps what the link of a table brought, unless this browser has a seat there already. */
export function unpackCarried(table: string, carried: string): void {
  if (keptTable(table)?.token) return;
  let found: Carried;
  try {
    const bytes = atob(carried.replace(/-/g, "+").replace(/_/g, "/"));
    found = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)))) as Carried;
  } catch {
    return; // a damaged link: the page shows the table to a spectator
  }
  if (typeof found !== "object" || found === null || typeof found.token !== "string" || !TOKEN.test(found.token)) return;
  const { token, nonces, saw, invitations, openSeats, muted } = found;
  keepTable(table, {
    token,
    ...(texts(nonces) ? { nonces } : {}),
    ...(typeof saw?.commitment === "string" && texts(saw.seals) ? { saw: { commitment: saw.commitment, seals: saw.seals } } : {}),
    ...(texts(invitations) ? { invitations } : {}),
    ...(Array.isArray(openSeats) && openSeats.every(Number.isSafeInteger) ? { openSeats } : {}),
    ...(texts(muted) ? { muted } : {}),
  });
}
