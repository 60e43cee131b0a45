/** Tables of friends' devices, and of ours for friends: known at once when a page opens. */
import { remember, remembered } from "../lib/storage";

/** The tables that this device plays as a guest, with the table whose line leads there (a rematch uses that
 * of the first game); and the tables that it hosts for others. */
const guests = () => remembered<Record<string, string>>("guest", {});
const hosted = () => remembered<string[]>("hosted", []);
const MOST = 40;

export const lineOf = (table: string): string | undefined => guests()[table];
export const isHosted = (table: string): boolean => hosted().includes(table);

export function noteGuest(table: string, line: string): void {
  const others = Object.entries(guests()).filter(([known]) => known !== table);
  remember("guest", Object.fromEntries([...others, [table, line]].slice(-MOST)));
}

export function noteHosted(table: string): void {
  if (!isHosted(table)) remember("hosted", [...hosted(), table].slice(-MOST));
}
