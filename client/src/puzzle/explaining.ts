/** Why the best choice is best, in a few sentences. */
import type { Language, PuzzleSolution } from "../generated/messages";
import type { PuzzleWords } from "./words.en";

/** The names of choices, seats and goals for the explanation. */
export interface Namings {
  best: string;
  next: string;
  /** What the second-best choice loses at once and the best does not; "" if nothing. */
  lost: string;
  nameOf: (seat: number) => string;
  hopeOf: (name: string) => string;
}

const SENTENCES = 3;

/** The numbers, then the most telling difference: an immediate loss, a goal, or points. */
export function explain(solution: PuzzleSolution, names: Namings, words: PuzzleWords, language: Language): string[] {
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  const points = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const { chance, next_chance, hope, risk, own, rival } = solution;
  const share = ({ name, best, next }: NonNullable<typeof hope>) =>
    [names.hopeOf(name), percent.format(best), percent.format(next)] as const;
  const why = [
    names.lost ? words.otherwise(names.lost) : "",
    hope ? words.hope(...share(hope)) : "",
    own ? words.own(points.format(own.best), points.format(own.next)) : "",
    rival ? words.rival(names.nameOf(rival.seat), points.format(rival.best), points.format(rival.next)) : "",
    risk ? words.risk(...share(risk)) : "",
  ];
  return [words.wins(percent.format(chance), percent.format(next_chance), names.next), ...why.filter(Boolean).slice(0, SENTENCES)];
}
