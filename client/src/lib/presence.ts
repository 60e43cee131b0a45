import type { Seat } from "../generated/messages";

/** The absence in seconds after which others may let a bot play. */
export const AWAY_FOR = 120;

/** The absence in seconds, a number of milliseconds after the last report. */
export const awayFor = (seat: Seat, since: number): number =>
  seat.here ? 0 : seat.absent_for + Math.max(0, Math.floor(since / 1000));
