import type { Seat } from "../messages";
import { t } from "../texts/index.svelte";

/** What is left on a seat's clock, so many milliseconds after it was read; null without clocks. */
export function clockText(seat: Seat, since: number): string | null {
  if (seat.clock_ms === null) return null;
  const left = Math.max(0, seat.clock_ms - (seat.clock_runs ? since : 0)) / 1000;
  if (left >= 36_000) return t().seats.clock(t().times.days(Math.max(1, Math.round(left / 86_400))));
  return `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
}
