/** The height and the pattern of each terrain, in a hexagon 40 wide around (0, 0). */
export interface Terrain {
  sheets: number;
  /** Dots and strokes of the pattern. */
  marks: string;
  /** A drawing that is also filled. */
  shape?: string;
}

const dot = (x: number, y: number): string => `M${x} ${y}h.01`;
const tuft = (x: number, y: number): string => `M${x - 3} ${y}Q${x - 2.5} ${y - 4} ${x - 3.5} ${y - 5}M${x} ${y}V${y - 7}M${x + 3} ${y}Q${x + 2.5} ${y - 4} ${x + 3.5} ${y - 5}`;

export const TERRAINS: Record<string, Terrain> = {
  beach: {
    sheets: 1,
    marks: [[-11, -8], [-4, -13], [5, -11], [12, -6], [-14, 2], [14, 4], [-9, 10], [0, 14], [8, 10], [-2, -5], [6, -2], [-6, 3], [3, 6]]
      .map(([x, y]) => dot(x!, y!))
      .join(""),
  },
  forest: { sheets: 2, marks: tuft(-10, -4) + tuft(9, -6) + tuft(-1, -9) + tuft(-11, 11) + tuft(11, 9) + tuft(0, 16) },
  mountain: {
    sheets: 3,
    shape: "M-15 11-4-14 1-5 5-10 15 11Z",
    marks: "M-15 11-4-14 1-5 5-10 15 11M-8 9-4 0M-3 10 0 2M4 9 6 1M9 9 10 4",
  },
  plain: { sheets: 1, marks: "M-13-6h7M4-10h7M-5 2h7M6 6h8M-12 10h7M1 14h6M-3-14h5M12-2h4" },
  hill: { sheets: 2, marks: "M-15 8Q-8-5-1 8M1 12Q8-1 15 12M-8-6Q-1-17 6-6" },
};

/** The height of a stack, relative to its width. */
export const liftOf = (terrain: string): number => (TERRAINS[terrain]?.sheets ?? 0) * 0.035;
