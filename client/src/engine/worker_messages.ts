/** The messages between the page and its engine workers. */
import type { PlayedOut, Tried } from "./engine";

/** The view of a seat, and the number of seats. */
export interface Sight {
  view: Uint8Array;
  seats: number;
}

export type ToWorker =
  | { kind: "load"; module: WebAssembly.Module }
  /** Search repeatedly, longer each time, until stopped, or until the limit of simulations or
   * milliseconds. */
  | { kind: "think"; task: number; sight: Sight; seed: bigint; most: number; within: number }
  /** Run a number of rollouts, or for a time in milliseconds; `action`, if given, is played first. */
  | { kind: "play_out"; task: number; sight: Sight; seed: bigint; hopes: number; playouts: number; within: number; action: number | null }
  | { kind: "stop" }
  | { kind: "sleep"; asleep: boolean };

export type FromWorker =
  /** The result of one search, to be added to the others. */
  | { kind: "found"; task: number; found: Tried[]; simulations: number; finished: boolean }
  | { kind: "played_out"; task: number; result: PlayedOut; finished: boolean }
  | { kind: "failed"; task: number; message: string };
