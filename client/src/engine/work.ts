/** What the page and its engine workers say to each other. */
import type { PlayedOut, Tried } from "./engine";

/** What a seat sees, and how many seats there are. */
export interface Sight {
  view: Uint8Array;
  seats: number;
}

export type ToWorker =
  | { kind: "load"; module: WebAssembly.Module }
  /** Search again and again, each time for longer, until told otherwise or so many simulations are made, or milliseconds
   * are over. */
  | { kind: "think"; task: number; sight: Sight; seed: bigint; most: number; within: number }
  /** Play out so often, or for so many milliseconds; `action` comes first, where one is given. */
  | { kind: "play_out"; task: number; sight: Sight; seed: bigint; hopes: number; playouts: number; within: number; action: number | null }
  | { kind: "stop" }
  | { kind: "sleep"; asleep: boolean };

export type FromWorker =
  /** One search more is over: what it found, to be added to what others did. */
  | { kind: "found"; task: number; found: Tried[]; simulations: number; finished: boolean }
  | { kind: "played_out"; task: number; result: PlayedOut; finished: boolean }
  | { kind: "failed"; task: number; message: string };
