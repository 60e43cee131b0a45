import type { AtTable } from "./at_table.svelte";
import type { Tabs } from "./tabs.svelte";

/** What the keys do at a table, wherever the focus is but in a field or a dialog. */
export function pressKey(event: KeyboardEvent, at: AtTable, tabs: Tabs): void {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
  const { choosing, past } = at;
  const letters: Record<string, () => void> = {
    u: () => void (at.takesBack !== null && at.takeBack()),
    s: () => at.skip(),
    p: () => void past.replayTurn(),
    l: () => tabs.show("log"),
    r: () => tabs.show("rules"),
    h: () => tabs.show("help"),
    t: () => tabs.show("text"),
    Escape: () => {
      if (choosing.selected) choosing.selected = null;
      else if (past.position) past.toNow();
      else tabs.open = null;
    },
  };
  const button = choosing.buttons[Number(event.key) - 1];
  const act = button ? () => choosing.pressed(button) : letters[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  act();
  event.preventDefault();
}
