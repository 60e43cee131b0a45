/** The games finished on this device, stored only here. */
import type { Result, Table } from "../generated/messages";
import { ofPlace, remember, remembered } from "./storage";

export interface FinishedGame {
  table: string;
  game: string;
  at: number;
  names: string[];
  scores: number[];
  ranks: number[];
  /** My seat; null on a shared device. */
  me: number | null;
}

/** Statistics of one game. */
export interface Record {
  played: number;
  won: number;
  best: number;
  average: number;
}

const MOST = 200;
const GAMES = ofPlace("history");

export const finishedGames = (): FinishedGame[] => remembered<FinishedGame[]>(GAMES, []);

/** Record a finished game, once. */
export function noteGame(table: Table, result: Result, me: number | null): void {
  const known = finishedGames();
  if (known.some((game) => game.table === table.id)) return;
  const names = table.seats.map(({ name }) => name);
  const game = { table: table.id, game: table.game, at: Date.now(), names, scores: result.scores, ranks: result.ranks, me };
  remember(GAMES, [game, ...known].slice(0, MOST));
}

export function forgetGames(): void {
  remember(GAMES, []);
}

/** Statistics of the games with a seat of my own; null if there are none. */
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
