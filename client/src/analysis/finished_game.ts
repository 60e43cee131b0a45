/** A finished game as the server sends it, unpacked. */
import type { Course } from "../generated/messages";

export interface Unpacked {
  course: Course;
  /** The full position after a number of moves, and the view of the seat to move. */
  state: (after: number) => Uint8Array;
  view: (after: number) => Uint8Array;
  dealt: (number: number) => { state: Uint8Array; view: Uint8Array };
}

export async function unpacked(course: Course): Promise<Unpacked> {
  const packed = Uint8Array.from(atob(course.data), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const { size, deals } = course;
  const positions = course.moves.length + 1;
  const at = (place: number) => bytes.subarray(place * size, (place + 1) * size);
  return {
    course,
    state: at,
    view: (after) => at(positions + after),
    dealt: (number) => ({ state: at(2 * positions + number), view: at(2 * positions + deals + number) }),
  };
}

/** The positions to evaluate, as numbers of moves. The final position needs no evaluation. */
export function pointsOf({ moves, result }: Course): number[] {
  const within = moves.flatMap(({ ends_step }, move) => (ends_step && move < moves.length - 1 ? [move + 1] : []));
  return result ? [0, ...within] : [0, ...within, moves.length];
}

/** Whether another real decision follows in the same turn. */
export function turnGoesOn({ moves }: Course, move: number): boolean {
  for (let later = move; !moves[later]!.ends_step; later += 1) {
    const following = moves[later + 1];
    if (!following) return false;
    if (following.options > 1) return true;
  }
  return false;
}
