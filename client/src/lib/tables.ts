/** The tables that this browser has a seat at, or hosts: the secrets of their seats stay here. */
import { remember, remembered } from "./storage";

export interface KeptTable {
  token: string;
  game: string;
  /** The number of the last event that was shown: what comes after it happened meanwhile. */
  seen: number;
  /** For the host: the secret of each open seat's link, in the order of the seats. */
  invitations?: string[];
  openSeats?: number[];
  at: number;
  /** My seat, as of when we were last there; null at a device with several people. */
  seat?: number | null;
  over?: boolean;
  /** The lesson that it is the table of. */
  lesson?: string;
  /** What we sealed as our share of the dice, and what everybody had sealed when it began. */
  nonces?: string[];
  saw?: { commitment: string; seals: string[] };
}

const MOST = 40;

export function keptTables(): Record<string, KeptTable> {
  return remembered<Record<string, KeptTable>>("tables", {});
}

export function keptTable(id: string): KeptTable | undefined {
  return keptTables()[id];
}

export function keepTable(id: string, changes: Partial<KeptTable>): void {
  const tables = keptTables();
  const known = tables[id] ?? { token: "", game: "", seen: 0, at: 0 };
  tables[id] = { ...known, ...changes, at: Date.now() };
  const recent = Object.entries(tables).sort(([, one], [, other]) => other.at - one.at);
  remember("tables", Object.fromEntries(recent.slice(0, MOST)));
}

export function forgetTable(id: string): void {
  const tables = keptTables();
  delete tables[id];
  remember("tables", tables);
}
