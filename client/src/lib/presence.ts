import type { Seat } from "../generated/messages";

/** For how many seconds somebody has to be away before others may let a bot play. */
export const AWAY_FOR = 120;

/** For how many seconds somebody has been away, so many milliseconds after that was last heard. */
export const awayFor = (seat: Seat, since: number): number =>
  seat.here ? 0 : seat.absent_for + Math.max(0, Math.floor(since / 1000));
