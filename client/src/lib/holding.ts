import type { Position } from "../generated/messages";

/** Whether a position contains a piece or a choice that only one seat may see. */
export const isSecret = ({ scene }: Pick<Position, "scene">): boolean =>
  scene.gauges["private"] === true || scene.pieces.some(({ properties }) => properties["secret"] === true);

/** Whether the device has to change hands before this is shown: not for whoever has it already, nor
 * for what everybody may see. */
export const mustPass = (holder: number | null, seen: Pick<Position, "scene" | "seat">): boolean =>
  holder !== seen.seat && isSecret(seen);
