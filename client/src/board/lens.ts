/** The geometry of zooming and panning the board. */

export interface Point {
  x: number;
  y: number;
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Maps a point p of the board to p * scale + (x, y). */
export interface Lens {
  scale: number;
  x: number;
  y: number;
}

/** The zoomable part of a board: its window and its extent. */
export interface Field {
  window: Box;
  extent: Box;
}

export const WHOLE: Lens = { scale: 1, x: 0, y: 0 };
const CLOSEST = 6;
/** A comfortable distance between the centres of two targets, in pixels. */
export const COMFORT = 44;
export const LEAST = 24;
/** Below this scale, the whole board is shown instead if its targets are large enough. */
const SLIGHT = 1.15;
/** The margin around a target that is brought into view. */
const MARGIN = 26;

/** The minimal size of a target on a screen of this size. */
export function needed(width: number, height: number): number {
  const [short, long] = width < height ? [width, height] : [height, width];
  return short >= 390 && long >= 664 ? COMFORT : LEAST;
}

/** Converts a pointer position to board coordinates. */
export function placeOf(board: Element, event: MouseEvent): Point {
  const box = board.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

export const seen = <P extends Point>(lens: Lens, point: P): P => ({
  ...point,
  x: point.x * lens.scale + lens.x,
  y: point.y * lens.scale + lens.y,
});

export const seenBox = (lens: Lens, box: Box): Box => ({
  left: box.left * lens.scale + lens.x,
  top: box.top * lens.scale + lens.y,
  width: box.width * lens.scale,
  height: box.height * lens.scale,
});

export const inside = ({ left, top, width, height }: Box, { x, y }: Point, margin = 0): boolean =>
  x >= left + margin && x <= left + width - margin && y >= top + margin && y <= top + height - margin;

/** Limits zoom and position to the board. */
export function kept({ scale, x, y }: Lens, { window, extent }: Field): Lens {
  const by = Math.min(Math.max(scale, 1), CLOSEST);
  const along = (offset: number, start: number, length: number, from: number, size: number): number => {
    const least = start + length - (from + size) * by;
    const most = start - from * by;
    // Centre what is smaller than the window.
    return least > most ? (least + most) / 2 : Math.min(Math.max(offset, least), most);
  };
  return by < 1.005
    ? WHOLE
    : {
        scale: by,
        x: along(x, window.left, window.width, extent.left, extent.width),
        y: along(y, window.top, window.height, extent.top, extent.height),
      };
}

/** Zooms by a factor around a fixed point of the screen. */
export function closer(lens: Lens, factor: number, at: Point, field: Field): Lens {
  const scale = Math.min(Math.max(lens.scale * factor, 1), CLOSEST);
  const by = scale / lens.scale;
  return kept({ scale, x: at.x - (at.x - lens.x) * by, y: at.y - (at.y - lens.y) * by }, field);
}

/** Centres a point of the board at a scale. */
export function around(point: Point, scale: number, field: Field): Lens {
  const { left, top, width, height } = field.window;
  const by = Math.min(Math.max(scale, 1), CLOSEST);
  return kept({ scale: by, x: left + width / 2 - point.x * by, y: top + height / 2 - point.y * by }, field);
}

/** The smallest distance between two of the points. */
export const clearance = (point: Point, others: readonly Point[]): number =>
  Math.min(Infinity, ...others.map((other) => (other === point ? Infinity : Math.hypot(other.x - point.x, other.y - point.y))));

export const tightest = (points: readonly Point[]): number => Math.min(Infinity, ...points.map((point) => clearance(point, points)));

/** Whether all points are in view and far enough apart. */
export const shows = (lens: Lens, points: readonly Point[], need: number, { window }: Field): boolean =>
  tightest(points) * lens.scale >= need - 0.5 && points.every((point) => inside(window, seen(lens, point), Math.min(MARGIN / 2, 12)));

function boundsOf(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** The centre of the smallest box around the points. */
export function middleOf(points: readonly Point[]): Point {
  const { left, top, width, height } = boundsOf(points);
  return { x: left + width / 2, y: top + height / 2 };
}

/** The smallest zoom that makes these points easy to touch and keeps them all in view; the whole board if
 * that is impossible. */
export function showing(points: readonly Point[], need: number, field: Field): Lens {
  if (points.length === 0) return WHOLE;
  const box = boundsOf(points);
  const { width, height } = field.window;
  const fits = Math.min((width - 2 * MARGIN) / Math.max(box.width, 1), (height - 2 * MARGIN) / Math.max(box.height, 1));
  const apart = tightest(points);
  const scale = Math.min(fits, COMFORT / apart);
  // A little larger is not worth a part of the board.
  const least = apart < need - 0.5 ? 1 : SLIGHT;
  if (!Number.isFinite(apart) || scale <= least || scale * apart < need - 0.5) return WHOLE;
  return around(middleOf(points), scale, field);
}
