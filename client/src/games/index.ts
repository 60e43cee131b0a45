import type { Face } from "../board/face";
import { readSentences } from "../lib/http";
import { loadWithRetry } from "../lib/loading.svelte";
import type { Sentences } from "../lib/words";
import type { Language } from "../generated/messages";

type Module<T> = () => Promise<{ default: T }>;

interface Game {
  face: () => Promise<{ face: Face }>;
  sentences: Record<Language, Module<Sentences>>;
  words: Record<Language, Module<Sentences>>;
}

/** The games with a board; each has its own chunks, one per language, loaded on demand. */
const GAMES: Record<string, Game> = {
  "deep-sea": {
    face: () => import("./deep-sea/face"),
    sentences: {
      en: () => import("../generated/sentences/deep-sea.en"),
      fr: () => import("../generated/sentences/deep-sea.fr"),
    },
    words: { en: () => import("./deep-sea/words.en"), fr: () => import("./deep-sea/words.fr") },
  },
  "the-island": {
    face: () => import("./the-island/face"),
    sentences: {
      en: () => import("../generated/sentences/the-island.en"),
      fr: () => import("../generated/sentences/the-island.fr"),
    },
    words: { en: () => import("./the-island/words.en"), fr: () => import("./the-island/words.fr") },
  },
  atlantis: {
    face: () => import("./atlantis/face"),
    sentences: {
      en: () => import("../generated/sentences/atlantis.en"),
      fr: () => import("../generated/sentences/atlantis.fr"),
    },
    words: { en: () => import("./atlantis/words.en"), fr: () => import("./atlantis/words.fr") },
  },
  "mauna-kea": {
    face: () => import("./mauna-kea/face"),
    sentences: {
      en: () => import("../generated/sentences/mauna-kea.en"),
      fr: () => import("../generated/sentences/mauna-kea.fr"),
    },
    words: { en: () => import("./mauna-kea/words.en"), fr: () => import("./mauna-kea/words.fr") },
  },
};

export const loadFace = async (game: string): Promise<Face> => (await loadWithRetry(find(game).face)).face;

/** All sentences of a game in a language. */
export async function loadSentences(game: string, language: Language): Promise<Sentences> {
  const { sentences, words } = find(game);
  const [told, shown] = await Promise.all([loadWithRetry(sentences[language]), loadWithRetry(words[language])]);
  return { ...told.default, ...shown.default };
}

export const loadWords = async (game: string, language: Language): Promise<Sentences> =>
  (await loadWithRetry(find(game).words[language])).default;

/** A game of another package: a plain board, and sentences from the server. */
function plain(game: string): Game {
  const fetched = (language: Language) => async () => ({ default: await readSentences(game, language) });
  const sentences = { en: fetched("en"), fr: fetched("fr") };
  const none = () => Promise.resolve({ default: {} });
  return {
    face: () => import("./plain/face"),
    sentences,
    words: { en: none, fr: none },
  };
}

const find = (game: string): Game => GAMES[game] ?? plain(game);
