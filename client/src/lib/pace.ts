import type { Speed } from "./settings.svelte";

/** How many times as long as usual something takes; 0: it is not shown at all. */
export const PACE: Record<Speed, number> = { slow: 1.8, normal: 1, fast: 0.45, off: 0 };

/** Characters that are read in a second. */
const READ = 20;

/** How long it takes to read something, in milliseconds. */
export const readingTime = (text: string): number => (1000 * text.length) / READ;
