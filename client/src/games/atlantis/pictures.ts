import Picture from "../hex/Picture.svelte";
import type { Sketch } from "../hex/pictures";

export const tint = "atlantis";
export { Picture };

/** Pictures of rules. */
export const sketches: Record<string, Sketch> = {
  "AT-M7": {
    spaces: [["sea", 0, 0], ["safe", 1, 0]],
    things: [["boat", 0, 0.1], ["w", -0.15, -0.08], ["y", 0.15, -0.08]],
    arrows: [[0.35, -0.1, 0.85, -0.1]],
    small: true,
  },
  "AT-M8": {
    spaces: [["sea", 0, 0], ["sea", 1.6, 0], ["safe", 2.6, 0]],
    things: [["dolphin", 0, 0.12], ["w", -0.05, -0.28]],
    arrows: [[0.4, -0.25, 2.4, -0.25]],
    small: true,
  },
  "AT-M10": {
    spaces: [["plain", 0, 0], ["sea", 1, 0]],
    things: [["w", 0, 0], ["shark", 1.1, 0], ["cross", 0.55, 0]],
  },
  "AT-B3": {
    spaces: [["sea", 0, 0], ["sea", 1, 0]],
    things: [["boat", 0, 0.1], ["w", -0.27, -0.08], ["y", 0, -0.08], ["s", 0.27, -0.08]],
    arrows: [[0.45, 0.05, 0.95, 0.05]],
    small: true,
  },
  "AT-K1": {
    spaces: [["plain", 0, 0], ["hill", 1.4, 0], ["mountain", 2.8, 0]],
    things: [],
    arrows: [[0.55, 0, 0.85, 0], [1.95, 0, 2.25, 0]],
  },
  "AT-K2": {
    spaces: [["plain", 0, 0], ["hill", 1, 0], ["mountain", 2, 0]],
    things: [["w", 0, 0], ["y", 2.1, 0]],
    arrows: [[0.25, -0.15, 1.75, -0.15]],
  },
  "AT-K5": {
    spaces: [["sea", 0, 0], ["sea", 1, 0], ["hill", 2, 0], ["sea", 0.5, 1], ["sea", 1.5, 1]],
    things: [["whirl", 1, 0], ["w", 0, 0], ["octopus", 0.5, 1], ["boat", 1.5, 1], ["cross", 0, 0], ["cross", 0.5, 1], ["cross", 1.5, 1], ["y", 2, 0]],
  },
  "AT-X1": {
    spaces: [["sea", 0, 0], ["sea", 1, 0]],
    things: [["monster", 0, 0], ["boat", 1, 0.1], ["w", 0.9, -0.08], ["y", 1.15, -0.08], ["cross", 1, 0]],
    arrows: [[0.45, 0.3, 0.8, 0.3]],
    small: true,
  },
  "AT-X3": {
    spaces: [["sea", 0, 0], ["sea", 1, 0]],
    things: [["octopus", 0, 0], ["boat", 1, 0.15], ["cross", 1, 0.15], ["w", 0.9, -0.25], ["y", 1.2, -0.25]],
    arrows: [[0.42, 0.1, 0.75, 0.1]],
    small: true,
  },
};
