import { json } from "../lib/http";
import { loadWithRetry } from "../lib/loading.svelte";
import type { Language, Lessons } from "../generated/messages";
import type { LessonWords } from "./words.en";

const WORDS: Record<Language, () => Promise<LessonWords>> = {
  en: async () => (await import("./words.en")).wordsEn,
  fr: async () => (await import("./words.fr")).wordsFr,
};

export interface Texts extends Lessons {
  words: LessonWords;
}

const known = new Map<string, Promise<Texts>>();

/** The texts of a game's lessons, and the labels around them. */
export function loadTexts(game: string, language: Language): Promise<Texts> {
  const key = `${game} ${language}`;
  let texts = known.get(key);
  if (!texts) {
    texts = Promise.all([json<Lessons>(`/api/lessons/${game}/${language}`), loadWithRetry(WORDS[language])]).then(
      ([lessons, words]) => ({ ...lessons, words }),
    );
    texts.catch(() => known.delete(key)); // asked for again next time
    known.set(key, texts);
  }
  return texts;
}
