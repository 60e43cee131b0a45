import type { Sketch } from "../hex/pictures";
import Picture from "./Picture.svelte";

export const tint = "deep-sea";
export { Picture };

/** Pictures of rules. */
export const sketches: Record<string, Sketch> = {
  "DS-T1": {
    spaces: [["1", 0, 0], ["1", 1, 0], ["sea", 2.2, 0], ["sea", 4, 0]],
    things: [["25", 2.4, 0], ["23", 4, 0]],
    arrows: [[2.8, 0, 3.6, 0]],
  },
  "DS-T3": {
    spaces: [["1", 0, 0], ["1", 1, 0], ["2", 2, 0], ["2", 3, 0]],
    things: [["w", 0, -0.25], ["die 1", 0.2, -0.75], ["die 2", 0.9, -0.75]],
    arrows: [[0.4, -0.15, 2.8, -0.15]],
  },
  "DS-T6": {
    spaces: [["2", 0, 0], ["disc", 2, 0]],
    things: [["w", 0, -0.3], ["w", 2, -0.3]],
    arrows: [[0.6, 0, 1.4, 0]],
  },
};
