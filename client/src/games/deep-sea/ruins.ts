/** The drawings on the backs of chips, by level, in a 20 × 20 box around (0, 0). */
export const RUINS: Record<number, string> = {
  // A shell.
  1: "M0 8C-3 8-4 7-4.5 5.5-8 3-9-2-6-5.5-4-8 4-8 6-5.5 9-2 8 3 4.5 5.5 4 7 3 8 0 8ZM0 6V-6M-2.4 5.6-5-4.6M2.4 5.6 5-4.6",
  // An amphora.
  2: "M-2.5-9H2.5M-1.8-9C-1.8-6-2-5-3.5-3.5-6-1-5.5 3-2 8H2C5.5 3 6-1 3.5-3.5 2-5 1.8-6 1.8-9M-2-6.5C-6-8-7.5-4-4.6-2.2M2-6.5C6-8 7.5-4 4.6-2.2M-2.6 9H2.6",
  // A broken column.
  3: "M-7 9H7M-5 9V-4L-2.5-7 0-4.5 2.5-8 5-5V9M-1.7 9V-3.5M1.7 9V-4.5M-6-1.5 6-3",
  // A crown.
  4: "M-8 6 -9-4-4 0 0-8 4 0 9-4 8 6ZM-8 8.6H8",
};

/** The x positions of the dots that show the level. */
export function dots(level: number): number[] {
  return Array.from({ length: level }, (_, index) => (index - (level - 1) / 2) * 4.4);
}
