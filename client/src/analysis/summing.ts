/** Luck and skill apart: the arithmetic of `analysis/summing.py`, figure by figure.
 *
 * What the figures mean stands in docs/analysis.md; a test holds both to one account.
 */
export const MISTAKE_LOSS = 0.03;
export const MISTAKE_ERRORS = 3;
export const TURN_CHANGE = 0.1;
export const TURN_ERRORS = 3;
export const MOST_TURNS = 8;

export interface Chances {
  chances: number[];
  errors: number[];
}

export interface PositionMeasure extends Chances {
  after: number;
}

export interface DecisionMeasure {
  move: number;
  seat: number;
  gap: number;
  gap_error: number;
  play: number[];
  play_errors: number[];
  goes_on: boolean;
}

export interface Measures {
  seats: number;
  start: Chances;
  positions: PositionMeasure[];
  decisions: DecisionMeasure[];
}

export interface Loss {
  move: number;
  seat: number;
  loss: number;
  error: number;
}

export interface Step {
  first: number;
  until: number;
  change: number[];
  change_errors: number[];
  luck: number[];
  luck_errors: number[];
  play: number[];
}

export interface Turn {
  step: number;
  seat: number;
  change: number;
  luck: number;
  play: number;
}

export interface SeatSum {
  start: number;
  luck: number;
  luck_error: number;
  own: number;
  own_error: number;
  others: number;
  others_error: number;
  result: number;
  loss: number;
  loss_error: number;
  decisions: number;
  mistakes: number;
}

export interface Summary {
  steps: Step[];
  losses: Loss[];
  seats: SeatSum[];
  mistakes: number[];
  turns: Turn[];
}

export function sumUp(measures: Measures): Summary {
  const steps = stepsOf(measures);
  const losses = lossesOf(measures.decisions);
  const mistakes = losses.filter(isMistake).sort((one, other) => other.loss - one.loss || one.move - other.move);
  return {
    steps,
    losses,
    seats: seatsOf(measures).map((seat) => seatSum(measures, losses, seat)),
    mistakes: mistakes.map(({ move }) => move),
    turns: turnsOf(steps),
  };
}

/** Beyond chance, and beyond what matters. */
export const isMistake = ({ loss, error }: Loss): boolean => loss >= Math.max(MISTAKE_LOSS, MISTAKE_ERRORS * error);

/** What each decision gave away that could not be had any more later in the same turn. */
export function lossesOf(decisions: readonly DecisionMeasure[]): Loss[] {
  let ahead = 0;
  let aheadError = 0;
  const found = [...decisions].reverse().map(({ move, seat, gap, gap_error, play, play_errors, goes_on }) => {
    if (!goes_on) ahead = aheadError = 0;
    let loss = gap - ahead;
    let error = rootSum([gap_error, aheadError]);
    if (goes_on && loss < 0) loss = error = 0;
    else aheadError = gap_error;
    ahead += loss + play[seat]!;
    aheadError = rootSum([aheadError, play_errors[seat]!]);
    return { move, seat, loss, error };
  });
  return found.reverse();
}

function stepsOf({ seats, start, positions, decisions }: Measures): Step[] {
  const deal = stepOf(0, 0, start, positions[0]!, [], seats);
  const rest = positions.slice(1).map((after, place) => {
    const before = positions[place]!;
    const made = decisions.filter(({ move }) => before.after <= move && move < after.after);
    return stepOf(before.after, after.after, before, after, made, seats);
  });
  return [deal, ...rest];
}

function stepOf(first: number, until: number, before: Chances, after: Chances, decisions: DecisionMeasure[], seats: number): Step {
  const each = Array.from({ length: seats }, (_, seat) => {
    const change = after.chances[seat]! - before.chances[seat]!;
    const error = rootSum([before.errors[seat]!, after.errors[seat]!]);
    const play = sum(decisions.map((decision) => decision.play[seat]!));
    const playError = rootSum(decisions.map((decision) => decision.play_errors[seat]!));
    return { change, error, play, luck: change - play, luckError: rootSum([error, playError]) };
  });
  return {
    first,
    until,
    change: each.map(({ change }) => change),
    change_errors: each.map(({ error }) => error),
    luck: each.map(({ luck }) => luck),
    luck_errors: each.map(({ luckError }) => luckError),
    play: each.map(({ play }) => play),
  };
}

function seatSum({ start, positions, decisions }: Measures, losses: readonly Loss[], seat: number): SeatSum {
  const end = positions.at(-1)!;
  const mine = decisions.filter((decision) => decision.seat === seat);
  const theirs = decisions.filter((decision) => decision.seat !== seat);
  const lost = losses.filter((loss) => loss.seat === seat);
  const done = (by: DecisionMeasure[]) => sum(by.map(({ play }) => play[seat]!));
  const doubt = (by: DecisionMeasure[]) => rootSum(by.map(({ play_errors }) => play_errors[seat]!));
  const [own, others] = [done(mine), done(theirs)];
  const [ownError, othersError] = [doubt(mine), doubt(theirs)];
  return {
    start: start.chances[seat]!,
    luck: end.chances[seat]! - start.chances[seat]! - own - others,
    luck_error: rootSum([start.errors[seat]!, end.errors[seat]!, ownError, othersError]),
    own,
    own_error: ownError,
    others,
    others_error: othersError,
    result: end.chances[seat]!,
    loss: sum(lost.map(({ loss }) => loss)),
    loss_error: rootSum(lost.map(({ error }) => error)),
    decisions: mine.length,
    mistakes: lost.filter(isMistake).length,
  };
}

function turnsOf(steps: readonly Step[]): Turn[] {
  const found = steps.flatMap((step, number) => {
    if (number === 0) return []; // the deal turned nothing
    let seat = 0;
    step.change.forEach((change, other) => {
      if (Math.abs(change) > Math.abs(step.change[seat]!)) seat = other;
    });
    const change = step.change[seat]!;
    const least = Math.max(TURN_CHANGE, TURN_ERRORS * step.change_errors[seat]!);
    return Math.abs(change) < least ? [] : [{ step: number, seat, change, luck: step.luck[seat]!, play: step.play[seat]! }];
  });
  const largest = found.sort((one, other) => Math.abs(other.change) - Math.abs(one.change) || one.step - other.step);
  return largest.slice(0, MOST_TURNS).sort((one, other) => one.step - other.step);
}

const seatsOf = ({ seats }: Measures) => Array.from({ length: seats }, (_, seat) => seat);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const rootSum = (errors: readonly number[]) => Math.sqrt(sum(errors.map((error) => error * error)));
