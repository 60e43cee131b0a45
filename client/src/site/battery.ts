/** Bots rest while the battery is as low as when phones and laptops begin to save it, until the visitor lets them go on.
 * Browsers tell no page whether their battery saver is on, only the battery's level, and not all tell that. */
import { siteState } from "./site_state.svelte";

interface Battery extends EventTarget {
  level: number;
  charging: boolean;
}

const LOW = 0.2;

let going = false;
let changed: () => void = () => undefined;

/** `whenChanged` is called when bots begin or end to rest. */
export async function watchBattery(whenChanged: () => void): Promise<void> {
  changed = whenChanged;
  const battery = await (navigator as Navigator & { getBattery?(): Promise<Battery> }).getBattery?.().catch(() => null);
  if (!battery) return;
  const look = (): void => {
    const low = !battery.charging && battery.level <= LOW;
    if (!low) going = false; // ask again next time
    save(low && !going);
  };
  for (const kind of ["levelchange", "chargingchange"]) battery.addEventListener(kind, look);
  look();
}

/** Let the bots go on although the battery is low. */
export function goOn(): void {
  going = true;
  save(false);
}

function save(saving: boolean): void {
  if (siteState.saving === saving) return;
  siteState.saving = saving;
  changed();
}
