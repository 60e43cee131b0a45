/** A seat's chances, estimated by rollouts from its view. */
import { corrected, type Correction } from "../generated/arithmetic";
import type { Seen } from "../generated/messages";
import { engineAt, sightOf } from "./local_engine";

/** Probabilities by name: winning, and the goals of the game. */
export interface Odds {
  n: number;
  playouts: number;
  chances: Record<string, number>;
}

/** The number of rollouts for a 95 % interval of ±1 %. */
const PLAYOUTS = 10_000;
/** The time limit in milliseconds. */
const WITHIN = 2_500;

export async function oddsOf(address: string, seen: Seen): Promise<Odds> {
  const { playouts, wins, goals } = await engineAt(address).playOut(sightOf(seen), seen.hopes.length, PLAYOUTS, { within: WITHIN });
  const correction = seen.corrections["position"] as unknown as Correction;
  const win = corrected(correction, wins.map((won) => won / playouts))[seen.seat]!;
  const named = seen.hopes.map((name, number) => [name, goals[number]![seen.seat]! / playouts] as const);
  return { n: seen.n, playouts, chances: { win, ...Object.fromEntries(named) } };
}
