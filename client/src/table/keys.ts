import type { TableModel } from "./table_model.svelte";
import type { Camera } from "../board/camera.svelte";
import type { Tabs } from "./tabs.svelte";

/** The distance that an arrow key pans a zoomed board. */
const STEP = 48;

/** Keyboard shortcuts of the table, except in text fields and dialogs. */
export function pressKey(event: KeyboardEvent, at: TableModel, tabs: Tabs, camera: Camera): void {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
  const { choosing, past } = at;
  /** Arrow keys: through the replay, between targets, or over a zoomed board. */
  const go = (right: number, down: number) => {
    const stop = document.querySelector<SVGElement>('[data-target][tabindex="0"]');
    if (past.position) past.step(right + down);
    else if (stop) stop.focus();
    else camera.pan(-right * STEP, -down * STEP);
  };
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
    ArrowLeft: () => go(-1, 0),
    ArrowRight: () => go(1, 0),
    ArrowUp: () => go(0, -1),
    ArrowDown: () => go(0, 1),
    Escape: () => {
      if (choosing.selected) choosing.selected = null;
      else if (past.position) past.toNow();
      else tabs.open = null;
    },
  };
  const button = choosing.buttons[Number(event.key) - 1];
  const act = button ? () => choosing.pressedKey(button) : letters[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  act();
  event.preventDefault();
}
