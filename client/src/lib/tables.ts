/** The tables where this browser has a seat or is the host, with the seats' secrets. */
import { ofPlace, remember, remembered } from "./storage";

const TABLES = ofPlace("tables");

export interface KeptTable {
  token: string;
  game: string;
  /** The last event shown; later events are news. */
  seen: number;
  /** For the host: the secrets of the invitation links, by seat. */
  invitations?: string[];
  openSeats?: number[];
  at: number;
  /** My seat at the last visit; null on a shared device. */
  seat?: number | null;
  over?: boolean;
  /** The lesson of this table, if it is one. */
  lesson?: string;
  /** The table whose deal this one plays. */
  deal?: string;
  /** The address of the invitation that the lesson was begun from. */
  back?: string;
  /** The names of the players whose chat this device does not show. */
  muted?: string[];
  /** Our share of the dice, and the commitments of all players at the start. */
  nonces?: string[];
  saw?: { commitment: string; seals: string[] };
}

const MOST = 40;

export function keptTables(): Record<string, KeptTable> {
  return remembered<Record<string, KeptTable>>(TABLES, {});
}

export const rememberTables = (tables: Record<string, KeptTable>): void => remember(TABLES, tables);

export function keptTable(id: string): KeptTable | undefined {
  return keptTables()[id];
}

export function keepTable(id: string, changes: Partial<KeptTable>): void {
  const tables = keptTables();
  const known = tables[id] ?? { token: "", game: "", seen: 0, at: 0 };
  tables[id] = { ...known, ...changes, at: Date.now() };
  const recent = Object.entries(tables).sort(([, one], [, other]) => other.at - one.at);
  rememberTables(Object.fromEntries(recent.slice(0, MOST)));
}

export function forgetTable(id: string): void {
  const tables = keptTables();
  delete tables[id];
  rememberTables(tables);
}
