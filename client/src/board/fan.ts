import type { Layout } from "./face";
import type { Point } from "./lens";
import type { Place, Target } from "./targets";

/** More pieces than this are a list. */
export const MOST_IN_FAN = 8;
/** The width of a button in the fan. */
export const BUTTON = 48;

/** The centres of buttons around a point of the board, all on the board. */
export function fan(count: number, { x, y }: Point, width: number, height: number): Point[] {
  const radius = count < 2 ? 0 : Math.max(BUTTON * 0.8, (BUTTON + 4) / (2 * Math.sin(Math.PI / count)));
  const kept = (at: number, size: number) => Math.min(Math.max(at, radius + BUTTON / 2 + 2), size - radius - BUTTON / 2 - 2);
  const [left, top] = [kept(x, width), kept(y, height)];
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count - (count === 2 ? Math.PI : Math.PI / 2);
    return { x: left + radius * Math.cos(angle), y: top + radius * Math.sin(angle) };
  });
}

/** The choices at a tight place and around it, if all are pieces and few enough to fan out. */
export function crowdAt(place: Place, places: readonly Place[], need: number, { pieces }: Layout): Target[] | null {
  const around = places.filter((other) => other.inField && Math.hypot(other.x - place.x, other.y - place.y) < need);
  const all = around.flatMap(({ targets }) => targets);
  // Interchangeable pieces are one choice.
  const crowd = all.filter(({ choice }, i) => all.findIndex((other) => other.choice === choice) === i);
  const isFew = crowd.length <= MOST_IN_FAN && new Set(crowd.map(({ id }) => id)).size === crowd.length;
  return isFew && crowd.every(({ id }) => pieces.has(id)) ? crowd : null;
}
