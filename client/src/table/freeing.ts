import { t, withTexts } from "../texts/index.svelte";
import type { TableModel } from "./table_model.svelte";

/** Asks the host whether to free a seat. */
export async function askToFree(at: TableModel, seat: number): Promise<void> {
  await withTexts(["home", "more"], () => Promise.resolve());
  at.question = {
    title: t().seatList.free,
    text: t().aside.freeSure(at.gameText.nameOf(seat)),
    act: () => at.session.request({ type: "set_seat", seat }),
  };
}
