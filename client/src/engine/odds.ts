/** A seat's chances, by playouts from what it sees. */
import { corrected, type Correction } from "../analysis/correction";
import type { Seen } from "../messages";
import { engineAt, sightOf } from "./here";

/** Each between 0 and 1, by name: to win, and the hopes of the game. */
export interface Odds {
  n: number;
  playouts: number;
  chances: Record<string, number>;
}

/** With so many, nineteen times in twenty a chance is off by one in a hundred at most. */
const PLAYOUTS = 10_000;
/** Nobody waits for them longer than this, in milliseconds. */
const WITHIN = 2_500;

export async function oddsOf(address: string, seen: Seen): Promise<Odds> {
  const { playouts, wins, hopes } = await engineAt(address).playOut(sightOf(seen), seen.hopes.length, PLAYOUTS, { within: WITHIN });
  const correction = seen.corrections["position"] as unknown as Correction;
  const win = corrected(correction, wins.map((won) => won / playouts))[seen.seat]!;
  const named = seen.hopes.map((name, number) => [name, hopes[number]![seen.seat]! / playouts] as const);
  return { n: seen.n, playouts, chances: { win, ...Object.fromEntries(named) } };
}
