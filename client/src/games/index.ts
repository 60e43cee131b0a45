import type { Component } from "svelte";
import type { Face } from "../board/face";
import { readSentences } from "../lib/http";
import { loadWithRetry } from "../lib/loading.svelte";
import type { Sentences } from "../lib/words";
import type { Language } from "../generated/messages";
import type { Sketch } from "./hex/pictures";

type Module<T> = () => Promise<{ default: T }>;

interface Game {
  face: () => Promise<{ face: Face }>;
  sentences: Record<Language, Module<Sentences>>;
  /** Texts for the set-up form and for help. */
  later: Record<Language, Module<Sentences>>;
  words: Record<Language, Module<Sentences>>;
  /** The picture for the game's card. */
  art?: Module<Component>;
  /** Pictures of rules, by rule id. */
  pictures?: () => Promise<Pictures>;
}

export interface Pictures {
  Picture: Component<{ sketch: Sketch; tint: string }>;
  sketches: Record<string, Sketch>;
  tint: string;
}

/** The games with a board; each has its own chunks, one per language, loaded on demand. */
const GAMES: Record<string, Game> = {
  "deep-sea": {
    face: () => import("./deep-sea/face"),
    sentences: {
      en: () => import("../generated/sentences/deep-sea.en"),
      fr: () => import("../generated/sentences/deep-sea.fr"),
    },
    later: {
      en: () => import("../generated/sentences/deep-sea.later.en"),
      fr: () => import("../generated/sentences/deep-sea.later.fr"),
    },
    words: { en: () => import("./deep-sea/words.en"), fr: () => import("./deep-sea/words.fr") },
    pictures: () => import("./deep-sea/pictures"),
  },
  "the-island": {
    face: () => import("./the-island/face"),
    sentences: {
      en: () => import("../generated/sentences/the-island.en"),
      fr: () => import("../generated/sentences/the-island.fr"),
    },
    later: {
      en: () => import("../generated/sentences/the-island.later.en"),
      fr: () => import("../generated/sentences/the-island.later.fr"),
    },
    words: { en: () => import("./the-island/words.en"), fr: () => import("./the-island/words.fr") },
    art: () => import("./the-island/Art.svelte"),
    pictures: () => import("./the-island/pictures"),
  },
  atlantis: {
    face: () => import("./atlantis/face"),
    sentences: {
      en: () => import("../generated/sentences/atlantis.en"),
      fr: () => import("../generated/sentences/atlantis.fr"),
    },
    later: {
      en: () => import("../generated/sentences/atlantis.later.en"),
      fr: () => import("../generated/sentences/atlantis.later.fr"),
    },
    words: { en: () => import("./atlantis/words.en"), fr: () => import("./atlantis/words.fr") },
    art: () => import("./atlantis/Art.svelte"),
    pictures: () => import("./atlantis/pictures"),
  },
  "mauna-kea": {
    face: () => import("./mauna-kea/face"),
    sentences: {
      en: () => import("../generated/sentences/mauna-kea.en"),
      fr: () => import("../generated/sentences/mauna-kea.fr"),
    },
    later: {
      en: () => import("../generated/sentences/mauna-kea.later.en"),
      fr: () => import("../generated/sentences/mauna-kea.later.fr"),
    },
    words: { en: () => import("./mauna-kea/words.en"), fr: () => import("./mauna-kea/words.fr") },
    art: () => import("./mauna-kea/Art.svelte"),
    pictures: () => import("./mauna-kea/pictures"),
  },
};

export const loadFace = async (game: string): Promise<Face> => (await loadWithRetry(find(game).face)).face;

/** All sentences of a game in a language. */
export async function loadSentences(game: string, language: Language): Promise<Sentences> {
  const { sentences, words } = find(game);
  const [told, shown] = await Promise.all([loadWithRetry(sentences[language]), loadWithRetry(words[language])]);
  return { ...told.default, ...shown.default };
}

export const loadLaterSentences = async (game: string, language: Language): Promise<Sentences> =>
  (await loadWithRetry(find(game).later[language])).default;

export const loadWords = async (game: string, language: Language): Promise<Sentences> =>
  (await loadWithRetry(find(game).words[language])).default;

export async function loadArt(game: string): Promise<Component | null> {
  const { art } = find(game);
  return art ? (await loadWithRetry(art)).default : null;
}

export async function loadPictures(game: string): Promise<Pictures | null> {
  const pictures = GAMES[game]?.pictures;
  return pictures ? loadWithRetry(pictures) : null;
}

/** A game of another package: a plain board, and sentences from the server. */
function plain(game: string): Game {
  const fetched = (language: Language) => async () => ({ default: await readSentences(game, language) });
  const sentences = { en: fetched("en"), fr: fetched("fr") };
  const none = () => Promise.resolve({ default: {} });
  return {
    face: () => import("./plain/face"),
    sentences,
    later: sentences,
    words: { en: none, fr: none },
    art: () => import("./plain/Art.svelte"),
  };
}

const find = (game: string): Game => GAMES[game] ?? plain(game);
