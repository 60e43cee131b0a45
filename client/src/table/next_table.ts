import { route } from "../lib/route.svelte";
import { keepTable, keptTable } from "../lib/tables";
import type { TableModel } from "./table_model.svelte";

/** Opens a table that continues this one; the secret of my seat is valid there. */
export function goOnAt(at: TableModel, next: string): void {
  const token = keptTable(at.id)?.token;
  if (token && !keptTable(next)?.token) keepTable(next, { token, game: at.table!.game, seen: 0 });
  route.go(`/t/${next}`);
}
