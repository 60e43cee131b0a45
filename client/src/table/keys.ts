import type { AtTable } from "./at_table.svelte";
import type { Camera } from "../board/camera.svelte";
import type { Tabs } from "./tabs.svelte";

/** How far an arrow key moves a board that is looked at closely. */
const STEP = 48;

/** What the keys do at a table, wherever the focus is but in a field or a dialog. */
export function pressKey(event: KeyboardEvent, at: AtTable, tabs: Tabs, camera: Camera): void {
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
    t: () => tabs.type(),
    "+": camera.zoomIn,
    "=": camera.zoomIn,
    "-": camera.zoomOut,
    "0": camera.showWhole,
    ...(past.position
      ? { ArrowLeft: () => past.step(-1), ArrowRight: () => past.step(1), Home: () => past.step(-Infinity), End: () => past.step(Infinity) }
      : camera.isClose
        ? { ArrowLeft: () => camera.pan(STEP, 0), ArrowRight: () => camera.pan(-STEP, 0), ArrowUp: () => camera.pan(0, STEP), ArrowDown: () => camera.pan(0, -STEP) }
        : {}),
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
