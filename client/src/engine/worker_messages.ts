/** The messages between the page and its engine workers. */
import type { PlayedOut } from "./engine";
import type { TriedTurn } from "./ranking";

/** The view of a seat, the number of seats, and the length of rollouts in turns. */
export interface Sight {
  view: Uint8Array;
  seat: number;
  seats: number;
  horizon: number;
}

export type ToWorker =
  | { kind: "load"; module: WebAssembly.Module }
  /** Search repeatedly, longer each time, until stopped, or until the limit of simulations or
   * milliseconds. */
  | { kind: "think"; task: number; sight: Sight; seed: bigint; most: number; within: number }
  /** Play a turn and the rest of the game a number of times, and tell the final scores. */
  | { kind: "score"; task: number; sight: Sight; actions: number[]; seed: bigint; playouts: number }
  /** Run a number of rollouts, or for a time in milliseconds; `action`, if given, is played first. */
  | { kind: "play_out"; task: number; sight: Sight; seed: bigint; goals: number; playouts: number; within: number; action: number | null }
  | { kind: "stop" }
  | { kind: "sleep"; asleep: boolean };

export type FromWorker =
  /** The result of one pass, to be added to the others. */
  | { kind: "found"; task: number; found: TriedTurn[]; simulations: number; finished: boolean }
  /** The scores of all seats in each game. */
  | { kind: "scored"; task: number; scores: number[][] }
  | { kind: "played_out"; task: number; result: PlayedOut; finished: boolean }
  | { kind: "failed"; task: number; message: string };
