import type { Position } from "../generated/messages";

/** Whether a position contains a piece or a choice that only one seat may see. */
export const isSecret = ({ scene }: Pick<Position, "scene">): boolean =>
  scene.gauges["private"] === true || scene.pieces.some(({ properties }) => properties["secret"] === true);

/** Whether the device must be passed on before showing this: not if the seat already holds it or nothing
 * is hidden. */
export const mustPass = (holder: number | null, seen: Pick<Position, "scene" | "seat">): boolean =>
  holder !== seen.seat && isSecret(seen);
