import type { Scene, Seat } from "../messages";

/** Scenes write "diver-1" and "unit-a1" for what notation calls diver1 and a1. */
export function idsOf(names: readonly string[], scene: Scene): string[] {
  const ids = [...scene.pieces, ...scene.cells].map(({ id }) => id);
  return names.flatMap(
    (name) => ids.find((id) => id === name) ?? ids.find((id) => id.replaceAll("-", "") === name || id.slice(id.indexOf("-") + 1) === name) ?? [],
  );
}

/** "{2}" stands for the name of whoever sits in seat 2. */
export const withNames = (text: string, seats: readonly Seat[]): string =>
  text.replace(/\{([1-9])\}/g, (_, seat: string) => seats[Number(seat) - 1]?.name ?? "");
