/** Outlines of the creatures, in a 40 × 40 box around (0, 0). `body` is filled, `line` is stroked with a
 * thick pen, `eye` is cut out. */
export interface Beast {
  body?: string;
  line?: string;
  eye?: [number, number, number];
}

/** The hull of a boat, in the same box. */
export const HULL = "M-19-3H19C18 8 13 13 6 13H-6C-13 13-18 8-19-3Z";

export const BEASTS: Record<string, Beast> = {
  // A loop, the head held up.
  serpent: {
    line: "M-17 13C-6 14 3 7 3-3C3-13-12-13-12-3C-12 7 2 14 11 8C15 5 12-2 13-7",
    body: "M9-8C9-14 19-16 20-9C20-7 17-6 14-5Z",
    eye: [15, -10, 1.3],
  },
  // A fin above a wave.
  shark: {
    body: "M-13 9C-9-2-4-13 11-16C6-7 7 1 12 9Z",
    line: "M-18 14Q-13.500 9-9 14T0 14 9 14 18 14",
  },
  // A back, a fluke and a spout.
  whale: {
    body: "M-18 12C-19-3 0-8 9 4C12 1 12-4 10-8C14-9 17-7 17-4C18-7 20-8 22-7C21 0 20 10 12 12Z",
    line: "M-8-7V-13M-8-13C-9-17-14-17-15-13M-8-13C-7-17-2-17-1-13",
    eye: [-12, 5, 1.4],
  },
  // Arms.
  octopus: {
    body: "M-10 0C-12-20 12-20 10 0C9 5-9 5-10 0Z",
    line: "M-8 1C-10 8-16 6-17 12M-3 4C-3 10-8 10-8 16M3 4C3 10 8 10 8 16M8 1C10 8 16 6 17 12",
    eye: [-4, -5, 1.8],
  },
  // An arc over the waves.
  dolphin: {
    body: "M-17 12C-19 9-19 5-16 3C-14-8-4-14 5-12L10-17C11-13 11-11 10-9C14-6 16-2 20 0C15 2 11 1 8 0C0-4-8 0-11 6C-11 9-13 11-17 12Z",
    line: "M-6 14Q-1.500 10 3 14T12 14",
    eye: [11, -5, 1.3],
  },
  // Jaws.
  monster: {
    body: "M-19-6C-14-16 6-17 19-9L15-2 11-7 7-1 3-6-1 0-5-5-9 1-12-3C-13 2-11 6-8 7L-5 3-1 8 3 3 7 8 11 3 14 7C8 16-14 18-19 8C-20 4-20-2-19-6Z",
    eye: [-8, -9, 2],
  },
};
