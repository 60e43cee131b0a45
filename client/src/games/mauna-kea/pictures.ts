import type { Sketch } from "../hex/pictures";
import Picture from "./Picture.svelte";

export const tint = "mauna-kea";
export { Picture };

/** Pictures of rules. */
export const sketches: Record<string, Sketch> = {
  "MK-C5": {
    spaces: [["JJLM", 0, 0], ["LJMJ", 1.5, 0], ["MLJJ", 3, 0], ["JMJL", 4.5, 0]],
    things: [],
    arrows: [[0.62, 0, 0.88, 0], [2.12, 0, 2.38, 0], [3.62, 0, 3.88, 0]],
  },
  "MK-M2": {
    spaces: [["JJMJ", 0, 0], ["JLJM", 1, 0]],
    things: [["y", -0.25, -0.25], ["1", 0.25, -0.25], ["1", 0.75, -0.25], ["2", 1.25, -0.25]],
  },
  "MK-A1": {
    spaces: [["JJMJ", 0, 0], ["JJMJ", 1.5, 0]],
    things: [["y", -0.25, -0.25], ["white", 0.25, -0.25], ["y", 1.75, -0.25], ["white", 1.9, -0.1]],
    arrows: [[0.62, 0, 0.88, 0]],
  },
  "MK-B1": {
    spaces: [["JLJJ", 0, 0], ["JJMJ", 0, 1], ["sea", 1, 0], ["sea", 1, 1]],
    things: [["boat", 1, 0.5], ["y", 0.25, 0.75], ["1", 0.72, 0.3]],
    arrows: [[0.42, 0.7, 0.66, 0.6]],
  },
  "MK-L1": {
    spaces: [["volcano", 0, 0], ["single east east", 1, 0], ["single east south", 2, 0], ["empty", 2, 1]],
    things: [["1", 1, -0.32], ["2", 2.3, -0.3], ["3", 2, 1]],
  },
  "MK-L4": {
    spaces: [["single east east", 0, 0], ["hollow south south", 1, 0], ["empty", 2, 0]],
    things: [],
    arrows: [[0.3, 0.32, 2, 0.32]],
  },
  "MK-L5": {
    spaces: [["volcano", 0, 0], ["single east north,south north", 1, 0], ["empty", 1, -1], ["empty", 1, 1]],
    things: [["1", 1, -1], ["2", 1, 1]],
  },
};
