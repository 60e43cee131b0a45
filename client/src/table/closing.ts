import { t } from "../texts/index.svelte";
import type { TableModel } from "./table_model.svelte";

/** Asks the host to confirm that the table is closed. */
export function askToClose(at: TableModel): void {
  const { table, session } = at;
  const others = table?.stage === "playing" && at.seats.some(({ kind }, seat) => kind === "person" && seat !== session.seat);
  at.question = {
    title: t().manage.close,
    text: others && !table?.hot_seat ? t().manage.closeAsk : t().manage.closeSure,
    act: () => session.request({ type: "close_table" }),
  };
}
