import Picture from "../hex/Picture.svelte";
import type { Sketch } from "../hex/pictures";

export const tint = "island";
export { Picture };

/** Pictures of rules. */
export const sketches: Record<string, Sketch> = {
  "IS-M4": {
    spaces: [["forest", 0, 0], ["sea", 1, 0]],
    things: [["w", 0, 0]],
    arrows: [[0.3, 0, 0.9, 0]],
  },
  "IS-M8": {
    spaces: [["sea", 0, 0], ["safe", 1, 0]],
    things: [["boat", 0, 0.1], ["w", -0.15, -0.08], ["y", 0.15, -0.08]],
    arrows: [[0.35, -0.1, 0.85, -0.1]],
    small: true,
  },
  "IS-B3": {
    spaces: [["sea", 0, 0], ["sea", 1, 0]],
    things: [["boat", 0, 0.1], ["w", -0.27, -0.08], ["w", 0, -0.08], ["y", 0.27, -0.08]],
    arrows: [[0.45, 0.05, 0.95, 0.05]],
    small: true,
  },
  "IS-K1": {
    spaces: [["beach", 0, 0], ["forest", 1.4, 0], ["mountain", 2.8, 0]],
    things: [],
    arrows: [[0.55, 0, 0.85, 0], [1.95, 0, 2.25, 0]],
  },
  "IS-K2": {
    spaces: [["sea", 0, 0], ["beach", 1, 0], ["forest", 0.5, 1], ["beach", 1.5, 1]],
    things: [],
    arrows: [[0.95, 0, 0.35, 0]],
  },
  "IS-K9": {
    spaces: [["sea", 0, 0], ["sea", 1, 0], ["forest", 2, 0], ["sea", 0.5, 1], ["sea", 1.5, 1]],
    things: [["whirl", 1, 0], ["w", 0, 0], ["shark", 0.5, 1], ["boat", 1.5, 1], ["cross", 0, 0], ["cross", 0.5, 1], ["cross", 1.5, 1], ["y", 2, 0]],
  },
  "IS-X2": {
    spaces: [["sea", 0, 0], ["sea", 1, 0]],
    things: [["serpent", 0, 0], ["boat", 1, 0.1], ["w", 0.9, -0.08], ["y", 1.15, -0.08], ["cross", 1, 0]],
    arrows: [[0.4, 0.3, 0.75, 0.3]],
    small: true,
  },
  "IS-X3": {
    spaces: [["sea", 0, 0], ["sea", 1, 0], ["sea", 2, 0]],
    things: [["shark", 0, 0], ["w", 2, 0], ["cross", 2, 0]],
    arrows: [[0.45, 0.1, 1.6, 0.1]],
  },
  "IS-X4": {
    spaces: [["sea", 0, 0], ["sea", 1, 0], ["sea", 2, 0]],
    things: [["whale", 0, 0], ["boat", 2, 0.15], ["cross", 2, 0.15], ["w", 1.9, -0.25], ["y", 2.2, -0.25]],
    arrows: [[0.5, 0.1, 1.5, 0.1]],
    small: true,
  },
};
