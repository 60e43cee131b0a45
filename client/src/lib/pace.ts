import type { Speed } from "./settings.svelte";

/** The factor on durations; 0 skips animations. */
export const PACE: Record<Speed, number> = { slow: 1.8, normal: 1, fast: 0.45, off: 0 };

/** Reading speed in characters per second. */
const READ = 20;

/** Reading time in milliseconds. */
export const readingTime = (text: string): number => (1000 * text.length) / READ;
