/** A finished game as the server sends it, unpacked. */
import type { Course } from "../generated/messages";

export interface Unpacked {
  course: Course;
  /** What at least one seat knew of the position after a number of moves, and the view of the seat to move. */
  known: (after: number) => Uint8Array;
  view: (after: number) => Uint8Array;
}

export async function unpacked(course: Course): Promise<Unpacked> {
  const packed = Uint8Array.from(atob(course.data), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const { size } = course;
  const positions = course.moves.length + 1;
  const at = (place: number) => bytes.subarray(place * size, (place + 1) * size);
  return {
    course,
    known: at,
    view: (after) => at(positions + after),
  };
}
