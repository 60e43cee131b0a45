import type { Seat } from "../generated/messages";
import { t } from "../texts/index.svelte";

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The remaining time of a seat, a number of milliseconds after it was read; null without clocks. */
export function clockText(seat: Pick<Seat, "clock_ms" | "clock_runs">, since: number): string | null {
  if (seat.clock_ms === null) return null;
  const left = Math.max(0, seat.clock_ms - (seat.clock_runs ? since : 0)) / 1000;
  if (left >= 2 * DAY) return t().seats.clock(t().times.days(Math.round(left / DAY)));
  if (left >= 10 * HOUR) return t().seats.clock(t().times.hours(Math.round(left / HOUR)));
  const [hours, minutes, seconds] = [left / HOUR, (left % HOUR) / 60, left % 60].map(Math.floor) as [number, number, number];
  const two = (number: number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
