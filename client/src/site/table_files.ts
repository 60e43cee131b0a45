/** All tables of this browser as one file, with the seats that it has there. */
import { keptTables, rememberTables, type KeptTable } from "../lib/tables";
import { link } from "./site_transport";
import { words } from "./words";

/** Saves a file with all tables. */
export async function exportTables(): Promise<void> {
  const { status, text, file } = await link.ask((request) => ({ kind: "export", request, kept: JSON.stringify(keptTables()) }));
  if (status !== 200 || !file) throw new Error((JSON.parse(text) as { message: string }).message);
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([file as Uint8Array<ArrayBuffer>]));
  anchor.download = `tables-${new Date().toISOString().slice(0, 10)}.archipel`;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}

/** Stores the tables of a file, and the seats that its browser had there; returns the numbers of tables that were
 * stored and of those known already. */
export async function importTables(chosen: File): Promise<{ stored: number; known: number }> {
  const file = new Uint8Array(await chosen.arrayBuffer());
  const { status, text } = await link.ask((request) => ({ kind: "import", request, file }));
  if (status === 422) throw new Error(words().storage.bad);
  const found = JSON.parse(text) as { stored: number; known: number; kept: string; message: string };
  if (status !== 200) throw new Error(found.message);
  if (found.kept) rememberTables({ ...(JSON.parse(found.kept) as Record<string, KeptTable>), ...keptTables() });
  return found;
}
