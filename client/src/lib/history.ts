/** The games that were finished on this device: kept here alone, for whoever uses it. */
import type { Result, Table } from "../messages";
import { remember, remembered } from "./storage";

export interface FinishedGame {
  table: string;
  game: string;
  at: number;
  names: string[];
  scores: number[];
  ranks: number[];
  /** My seat; null where several people shared the device. */
  me: number | null;
}

/** How one has fared at a game. */
export interface Record {
  played: number;
  won: number;
  best: number;
  average: number;
}

const MOST = 200;

export const finishedGames = (): FinishedGame[] => remembered<FinishedGame[]>("history", []);

/** Note a game that is over, once. */
export function noteGame(table: Table, result: Result, me: number | null): void {
  const known = finishedGames();
  if (known.some((game) => game.table === table.id)) return;
  const names = table.seats.map(({ name }) => name);
  const game = { table: table.id, game: table.game, at: Date.now(), names, scores: result.scores, ranks: result.ranks, me };
  remember("history", [game, ...known].slice(0, MOST));
}

export function forgetGames(): void {
  remember("history", []);
}

/** Of the games that I had a seat of my own at; null if there were none. */
export function recordOf(games: readonly FinishedGame[]): Record | null {
  const mine = games.flatMap(({ me, scores, ranks }) => (me === null ? [] : [{ score: scores[me] ?? 0, won: ranks[me] === 0 }]));
  if (mine.length === 0) return null;
  const scores = mine.map(({ score }) => score);
  return {
    played: mine.length,
    won: mine.filter(({ won }) => won).length,
    best: Math.max(...scores),
    average: scores.reduce((sum, score) => sum + score, 0) / mine.length,
  };
}
