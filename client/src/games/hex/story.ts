import type { Act } from "../../board/face";

/** The parts of acts that hex games share: details name things as notation does. */
export const boatId = (name: unknown): string => `boat-${String(name)}`;
export const beastId = (name: unknown): string => String(name).replace(" ", "-");
export const names = (value: unknown): string[] => (value ?? []) as string[];

/** Several pieces that go the same way. */
export function goes(pieces: readonly string[], from: unknown, to: unknown, lasts = 360): Act {
  const space = String(to);
  return {
    moves: pieces.map((piece) => ({ piece, cells: [space] })),
    trail: from === undefined ? [space] : [String(from), space],
    lasts,
    sound: "step",
  };
}

export const appears = (piece: string, at: unknown, lasts = 320): Act => ({
  moves: [{ piece, cells: [String(at)] }],
  lasts,
  sound: "step",
});
