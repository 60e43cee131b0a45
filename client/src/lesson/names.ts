import type { Scene, Seat } from "../generated/messages";

/** Converts scene ids such as "diver-1" and "unit-a1" to notation: diver1, a1. */
export function idsOf(names: readonly string[], scene: Scene): string[] {
  const ids = [...scene.pieces, ...scene.cells].map(({ id }) => id);
  return names.flatMap(
    (name) => ids.find((id) => id === name) ?? ids.find((id) => id.replaceAll("-", "") === name || id.slice(id.indexOf("-") + 1) === name) ?? [],
  );
}

/** Replaces "{2}" by the name of the player in seat 2. */
export const withNames = (text: string, seats: readonly Seat[]): string =>
  text.replace(/\{([1-9])\}/g, (_, seat: string) => seats[Number(seat) - 1]?.name ?? "");
