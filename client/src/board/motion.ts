import type { Happening, LogEntry } from "../generated/messages";
import type { Act, Face, Layout } from "./face";

export interface Mover {
  element: Element;
  /** Releases a piece from its old place. */
  hold: Animation;
}

const still = { duration: 1, fill: "both" as const };

/** Returns the offset that shows a piece, drawn at its new spot, at another spot. */
function offset(
  to: { x: number; y: number; size: number },
  from: { x: number; y: number; size: number },
): string {
  const scale = to.size > 0 ? from.size / to.size : 1;
  return `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${scale.toFixed(4)})`;
}

/** The new state is drawn first; hold every moved piece at its old place until its animation starts. */
export function holdMoved(
  board: Element,
  before: Layout,
  after: Layout,
  duration: number,
): Map<string, Mover> {
  const held = new Map<string, Mover>();
  for (const [id, spot] of after.pieces) {
    const old = before.pieces.get(id);
    if (old && Math.hypot(old.x - spot.x, old.y - spot.y) < 0.5 && Math.abs(old.size - spot.size) < 0.5)
      continue;
    const element = board.querySelector(`[data-piece="${id}"] > .mover`);
    if (!element) continue;
    const start = old ? { transform: offset(spot, old) } : { opacity: 0 };
    const hold = element.animate([start, start], { ...still, duration: Math.max(duration, 1) * 1000 });
    held.set(id, { element, hold });
  }
  return held;
}

/** Animates held pieces along the cells that they pass. */
export function move(
  act: Act,
  held: Map<string, Mover>,
  before: Layout,
  after: Layout,
  duration: number,
): Animation[] {
  const running: Animation[] = [];
  for (const { piece, cells } of act.moves ?? []) {
    const mover = held.get(piece);
    const to = after.pieces.get(piece);
    const from = before.pieces.get(piece);
    if (!mover || !to) continue;
    held.delete(piece);
    if (!from) {
      const frames = [{ opacity: 0, transform: "scale(.4)" }, { opacity: 1, transform: "none" }];
      running.push(mover.element.animate(frames, { duration, easing: "ease-out" }));
      mover.hold.cancel();
      continue;
    }
    const passed = cells.slice(0, -1).flatMap((cell) => {
      const spot = after.cells.get(cell);
      return spot ? [{ ...(after.passing?.(spot, piece) ?? spot), size: to.size }] : [];
    });
    const frames = [from, ...passed, to].map((spot) => ({
      transform: offset(to, spot),
      easing: "ease-in-out",
    }));
    running.push(mover.element.animate(frames, { duration, easing: "linear" }));
    mover.hold.cancel();
  }
  return running;
}

/** Animates all remaining held pieces to their places. */
export function release(
  held: Map<string, Mover>,
  before: Layout,
  after: Layout,
  duration: number,
): Animation[] {
  const running: Animation[] = [];
  for (const [id, mover] of held) {
    const to = after.pieces.get(id);
    const from = before.pieces.get(id);
    const start = to && from ? { transform: offset(to, from) } : { opacity: 0 };
    const end = to && from ? { transform: "none" } : { opacity: 1 };
    running.push(mover.element.animate([start, end], { duration, easing: "ease-in-out" }));
    mover.hold.cancel();
  }
  held.clear();
  return running;
}

/** Replaces motion for users who prefer reduced motion. */
export function highlight(board: Element, ids: Iterable<string>, duration: number): Animation[] {
  return [...ids].flatMap((id) => {
    const element = board.querySelector(`[data-piece="${id}"] > .mover`);
    return element ? [element.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration })] : [];
  });
}

/** An event with its animation and the least time for it, at normal speed. */
export interface PlannedEvent {
  happening: Happening;
  act: Act;
  lasts: number;
}

const trailOf = ({ trail, moves }: Act): readonly string[] => trail ?? moves?.[0]?.cells ?? [];
const moversOf = ({ moves = [] }: Act): string => moves.map(({ piece }) => piece).join(" ");

/** Whether an animation moves on the pieces that the animation before it moved. */
function goesOn(before: Act, next: Act): boolean {
  const way = trailOf(next);
  return moversOf(next) !== "" && moversOf(before) === moversOf(next) && way.length > 1 && trailOf(before).at(-1) === way[0];
}

/** Two animations as one movement. */
function joined(before: Act, next: Act): Act {
  const trail = [...trailOf(before), ...trailOf(next).slice(1)];
  const moves = next.moves!.map(({ piece }) => ({ piece, cells: trail.slice(1) }));
  return { ...next, moves, trail, lasts: (before.lasts ?? 0) + (next.lasts ?? 0) / 2 };
}

/** The animations of events; steps of one piece are one movement, with the caption of the last. */
export function planned(happenings: readonly Happening[], face: Face): PlannedEvent[] {
  const plan: PlannedEvent[] = [];
  for (const happening of happenings) {
    const act = face.act(happening);
    const before = plan.at(-1)?.act;
    if (before && goesOn(before, act)) plan[plan.length - 1] = withTime(happening, joined(before, act));
    else plan.push(withTime(happening, act));
  }
  return plan;
}

const withTime = (happening: Happening, act: Act): PlannedEvent => ({ happening, act, lasts: Math.max(act.lasts ?? 0, act.brief ? 140 : 350) });

/** Whether moves of the same player are one movement: nothing is told of one of them, or it only goes on. */
export function joins(before: readonly LogEntry[], next: readonly LogEntry[], face: Face): boolean {
  if (before.at(-1)?.seat !== next.at(-1)?.seat) return false;
  const [one, other] = [before, next].map((entries) => entries.flatMap(({ happenings }) => happenings));
  return one!.length === 0 || other!.length === 0 || (other!.length === 1 && goesOn(face.act(one!.at(-1)!), face.act(other![0]!)));
}
