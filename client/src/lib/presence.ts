import type { Seat, Table } from "../generated/messages";

/** The absence in seconds after which others may let a bot play. */
export const AWAY_FOR = 120;

/** The absence in seconds after which the host may free a seat: with a clock by days, the time of a decision. */
export const freeAfter = ({ clock }: Pick<Table, "clock">): number =>
  clock.kind === "days" ? Math.max(AWAY_FOR, clock.seconds ?? 0) : AWAY_FOR;

/** The absence in seconds, a number of milliseconds after the last report. */
export const awayFor = (seat: Seat, since: number): number =>
  seat.here ? 0 : seat.absent_for + Math.max(0, Math.floor(since / 1000));
