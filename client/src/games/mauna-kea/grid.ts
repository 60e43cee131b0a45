import type { Cell, Piece } from "../../generated/messages";

export type Ground = "jungle" | "lake" | "mountain";
export type Direction = "north" | "east" | "south" | "west";

export const COLUMNS = 9;
export const DIRECTIONS: readonly Direction[] = ["north", "east", "south", "west"];
export const STEP: Record<Direction, readonly [number, number]> = {
  north: [0, -1],
  east: [1, 0],
  south: [0, 1],
  west: [-1, 0],
};
const GROUNDS: Record<string, Ground> = { J: "jungle", L: "lake", M: "mountain" };

/** Column and row of a space such as `d5`, from 0. */
export const spaceAt = (id: string): [number, number] => [id.charCodeAt(0) - 97, Number(id[1]) - 1];

/** Column and row of a cell such as `d5nw`, from 0. */
export function cellAt(id: string): [number, number] {
  const [column, row] = spaceAt(id);
  return [column * 2 + (id.endsWith("e") ? 1 : 0), row * 2 + (id[2] === "s" ? 1 : 0)];
}

export const spaceOf = (cell: string): string => cell.slice(0, 2);
export const isCell = (id: string): boolean => /^[a-i][1-9][ns][ew]$/.test(id);
export const isSpace = (id: string): boolean => /^[a-i][1-9]$/.test(id);

export const groundsOf = (terrain: string): Ground[] => Array.from(terrain, (letter) => GROUNDS[letter]!);

export const text = (from: Cell | Piece, name: string): string => String(from.properties[name] ?? "");
export const list = (from: Cell | Piece, name: string): string[] => (from.properties[name] ?? []) as string[];
export const count = (from: Cell | Piece, name: string): number => Number(from.properties[name] ?? 0);
