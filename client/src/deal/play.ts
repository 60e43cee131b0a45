/** Opens a table that plays a deal. */
import { makeTable } from "../lib/lobby";
import { settings } from "../lib/settings.svelte";
import { keepTable } from "../lib/tables";
import type { Duplicates } from "../generated/messages";

/** The id of the new table, where we have the first seat that is not a bot's. The deal of the day begins at once:
 * the others are bots. */
export async function playDeal({ origin, game, seats, ends_at }: Pick<Duplicates, "origin" | "game" | "seats" | "ends_at">, defaultName: string): Promise<string> {
  const { table, token, invitations } = await makeTable({
    game,
    seats: Array.from({ length: seats }, () => ({})),
    my_name: settings.name || defaultName,
    ...(settings.colour ? { my_colour: settings.colour } : {}),
    duplicate_of: origin,
    begin: ends_at !== null,
  });
  keepTable(table, { token, game, seen: 0, deal: origin, ...(invitations ? { invitations } : {}) });
  return table;
}
