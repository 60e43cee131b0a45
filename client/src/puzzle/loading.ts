import { json } from "../lib/http";
import { loadWithRetry } from "../lib/loading.svelte";
import type { Language, Puzzles, PuzzleSolution } from "../generated/messages";
import type { PuzzleWords } from "./words.en";

const WORDS: Record<Language, () => Promise<PuzzleWords>> = {
  en: async () => (await import("./words.en")).wordsEn,
  fr: async () => (await import("./words.fr")).wordsFr,
};

export const loadPuzzleWords = (language: Language): Promise<PuzzleWords> => loadWithRetry(WORDS[language]);

const known = new Map<string, Promise<PuzzleSolution[]>>();

/** The puzzles of a game, with their solutions. */
export function loadPuzzles(game: string): Promise<PuzzleSolution[]> {
  let found = known.get(game);
  if (!found) {
    found = json<Puzzles>(`/api/puzzles/${game}`).then(({ puzzles }) => puzzles);
    found.catch(() => known.delete(game)); // asked for again next time
    known.set(game, found);
  }
  return found;
}
