import type { Cue } from "../board/face";
import { settings } from "./settings.svelte";

/** A sound, for those who asked for sounds; others do not even load them. */
export function sound(cue: Cue): void {
  if (!settings.sound) return;
  // Without a network it is silent: a sound that comes later says nothing.
  void import("./cues").then(({ play }) => play(cue)).catch(() => undefined);
}
