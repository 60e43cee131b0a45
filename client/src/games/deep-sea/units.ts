import type { Piece } from "../../generated/messages";

export interface Unit {
  chips: string[];
  levels: number[];
  values: (number | null)[];
  secret: boolean;
}

export function unitOf(piece: Piece): Unit {
  return {
    chips: piece.properties["chips"] as string[],
    levels: piece.properties["levels"] as number[],
    values: piece.properties["values"] as (number | null)[],
    secret: piece.properties["secret"] === true,
  };
}
