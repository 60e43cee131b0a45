import type { Cue } from "../board/face";
import { settings } from "./settings.svelte";

/** Plays a sound if sounds are on; loads them only then. */
export function sound(cue: Cue): void {
  if (!settings.sound) return;
  // Stay silent without a network: a late sound would be useless.
  void import("./cues").then(({ play }) => play(cue, settings.volume)).catch(() => undefined);
}
