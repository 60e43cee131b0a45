import type { Ground } from "./grid";

export interface Patch {
  x: number;
  y: number;
  ground: Ground;
}

/** The pattern of each ground, in a 1 × 1 cell. */
const MARKS: Record<Ground, (number | string)[]> = {
  // Two tufts.
  jungle: ["M", 0.3, 0.46, "L", 0.2, 0.26, "M", 0.3, 0.46, "L", 0.32, 0.18, "M", 0.3, 0.46, "L", 0.44, 0.28,
    "M", 0.68, 0.86, "L", 0.58, 0.66, "M", 0.68, 0.86, "L", 0.7, 0.58, "M", 0.68, 0.86, "L", 0.82, 0.68],
  // Two waves.
  lake: ["M", 0.14, 0.36, "Q", 0.26, 0.22, 0.38, 0.36, "Q", 0.5, 0.5, 0.62, 0.36, "Q", 0.74, 0.22, 0.86, 0.36,
    "M", 0.14, 0.72, "Q", 0.26, 0.58, 0.38, 0.72, "Q", 0.5, 0.86, 0.62, 0.72, "Q", 0.74, 0.58, 0.86, 0.72],
  // A ridge and its strokes.
  mountain: ["M", 0.1, 0.84, "L", 0.4, 0.2, "L", 0.56, 0.52, "L", 0.68, 0.36, "L", 0.92, 0.84,
    "M", 0.4, 0.2, "L", 0.46, 0.8, "M", 0.68, 0.36, "L", 0.7, 0.82],
};

export interface Paths {
  ground: Record<Ground, string>;
  marks: Record<Ground, string>;
}

/** One path for all cells of a kind, and one for their patterns. */
export function paths(patches: readonly Patch[], size: number): Paths {
  const ground = { jungle: "", lake: "", mountain: "" };
  const marks = { jungle: "", lake: "", mountain: "" };
  for (const patch of patches) {
    ground[patch.ground] += `M${patch.x.toFixed(1)} ${patch.y.toFixed(1)}h${size.toFixed(1)}v${size.toFixed(1)}h${(-size).toFixed(1)}z`;
    let across = true;
    for (const part of MARKS[patch.ground]) {
      if (typeof part === "string") {
        marks[patch.ground] += part;
        across = true;
      } else {
        marks[patch.ground] += `${((across ? patch.x : patch.y) + part * size).toFixed(1)} `;
        across = !across;
      }
    }
  }
  return { ground, marks };
}
