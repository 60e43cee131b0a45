import type { Drawings } from "./about";

/** The drawings of "About the game" for each game. */
export const drawings: Record<string, Drawings> = {
  "deep-sea": {
    aim: {
      spaces: [["sub", 0, 0], ["1", 1, 0.2], ["1", 2, 0.3], ["2", 3, 0.2], ["3", 4, 0.3], ["4", 5, 0.2]],
      things: [["w", 3, -0.1]],
      arrows: [[2.6, -0.2, 0.6, -0.2]],
    },
    turn: [
      { spaces: [["1", 0, 0], ["2", 1, 0], ["sea", 4, 0]], things: [["25", 2.3, 0], ["23", 4, 0]], arrows: [[2.75, 0, 3.55, 0]] },
      { spaces: [["1", 0, 0], ["1", 1, 0], ["2", 2, 0], ["2", 3, 0]], things: [["w", 0, -0.25], ["die 1", 1.1, -0.5], ["die 2", 1.8, -0.5]], arrows: [[0.45, -0.05, 2.75, -0.05]] },
      { spaces: [["2", 0, 0], ["disc", 2, 0]], things: [["w", 0, -0.35], ["w", 2, -0.35]], arrows: [[0.6, 0, 1.4, 0]] },
    ],
    fear: { spaces: [["sub", 0, 0], ["2", 2, 0.2], ["3", 3, 0.2]], things: [["0", 1, -0.2], ["y", 3, -0.1], ["cross", 3, 0]] },
    end: { spaces: [["sub", 0, 0], ["4", 1.3, 0], ["3", 2.1, 0], ["1", 2.9, 0]], things: [["w", 0, -0.1]] },
  },
  "the-island": {
    aim: {
      spaces: [["mountain", 0, 0], ["forest", 1, 0], ["beach", 2, 0], ["sea", 3, 0], ["safe", 4, 0]],
      things: [["w", 1, 0]],
      arrows: [[1.4, 0, 3.7, 0]],
    },
    turn: [
      { spaces: [["sea", 0, 0], ["sea", 1, 0], ["sea", 2, 0]], things: [["dolphin", 0, 0.15], ["w", 0, -0.15]], arrows: [[0.45, 0, 1.7, 0]], small: true },
      { spaces: [["beach", 0, 0], ["sea", 1, 0], ["sea", 2, 0]], things: [["w", 0, 0], ["boat", 1, 0.1]], arrows: [[0.35, -0.1, 0.85, -0.1], [1.45, 0.1, 1.95, 0.1]], small: true },
      { spaces: [["forest", 0, 0], ["beach", 1, 0], ["sea", 2.2, 0]], things: [["cross", 1, 0], ["shark", 2.2, 0]], arrows: [[1.5, 0, 1.75, 0]] },
      { spaces: [["sea", 0, 0], ["sea", 1, 0], ["sea", 2, 0]], things: [["shark", 0, 0], ["y", 2, 0]], arrows: [[0.45, 0.1, 1.6, 0.1]] },
    ],
    fear: { spaces: [["sea", 0, 0], ["sea", 1, 0]], things: [["serpent", 0, 0], ["boat", 1, 0.1], ["w", 0.9, -0.08], ["y", 1.15, -0.08], ["cross", 1, 0]], arrows: [[0.4, 0.3, 0.75, 0.3]], small: true },
    end: { spaces: [["mountain", 0, 0], ["sea", 1, 0], ["safe", 2, 0]], things: [["y", 0, 0], ["cross", 0, 0], ["y", 1, 0], ["cross", 1, 0], ["w", 2, 0.05]] },
  },
  atlantis: {
    aim: {
      spaces: [["mountain", 0, 0], ["hill", 1, 0], ["plain", 2, 0], ["sea", 3, 0], ["safe", 4, 0]],
      things: [["w", 1, 0]],
      arrows: [[1.4, 0, 3.7, 0]],
    },
    turn: [
      { spaces: [["plain", 0, 0], ["sea", 1, 0], ["sea", 2, 0]], things: [["w", 0, 0], ["boat", 1, 0.1]], arrows: [[0.35, -0.1, 0.85, -0.1], [1.45, 0.1, 1.95, 0.1]], small: true },
      { spaces: [["plain", 0, 0], ["hill", 1.4, 0]], things: [["w", 0, 0.05], ["cross", 0, 0]], arrows: [[0.35, -0.2, 1.2, -0.2]] },
      { spaces: [["sea", 0, 0], ["sea", 1, 0], ["sea", 2, 0]], things: [["octopus", 0, 0], ["boat", 2, 0.1], ["y", 2, -0.1]], arrows: [[0.45, 0.1, 1.55, 0.1]], small: true },
    ],
    fear: {
      spaces: [["sea", 0, 0], ["sea", 1, 0], ["hill", 2, 0]],
      things: [["w", 0, 0], ["whirl", 1, 0], ["cross", 0, 0], ["y", 2, 0]],
    },
    end: { spaces: [["hill", 0, 0], ["sea", 1, 0], ["safe", 2, 0], ["safe", 3.2, 0]], things: [["y", 0, 0], ["w", 1.85, 0.12], ["w", 2.2, 0.12], ["y", 3.2, 0.12]], small: true },
  },
  "mauna-kea": {
    aim: {
      spaces: [["volcano", 0, 0], ["JJLJ", 1, 0], ["JJMJ", 2, 0], ["sea", 3, 0]],
      things: [["y", 1.25, -0.25], ["white", 2.25, -0.25], ["boat", 3, 0]],
      arrows: [[1.5, -0.25, 2.05, -0.25], [2.45, -0.15, 2.7, -0.05]],
    },
    turn: [
      { spaces: [["empty", 0, 0], ["JJLM", 1.6, 0]], things: [["2", 2.4, 0]], arrows: [[1.05, 0, 0.5, 0]] },
      { spaces: [["JJMJ", 0, 0], ["JLJM", 1, 0]], things: [["y", -0.25, -0.25], ["1", 0.25, -0.25], ["1", 0.75, -0.25], ["2", 1.25, -0.25]] },
      { spaces: [["volcano", 0, 0], ["single east east", 1, 0], ["empty", 2, 0]], things: [] , arrows: [[1.5, 0, 1.95, 0]] },
    ],
    fear: { spaces: [["volcano", 0, 0], ["single east east", 1, 0], ["JJJJ", 2, 0]], things: [["y", 2.1, 0.05], ["cross", 2.1, 0.05]], arrows: [[1.35, 0, 1.65, 0]] },
    end: { spaces: [["sea", 0, 0], ["sea", 1, 0]], things: [["boat", 0, 0], ["y", 0.6, -0.05], ["3", 0.6, 0.3], ["white", 1, -0.05], ["1", 1, 0.3]] },
  },
};
