/** The parts of a game that a table loads only on demand: texts for set-up and help, and pictures. */
import type { Component } from "svelte";
import type { Language } from "../generated/messages";
import { readSentences } from "../lib/http";
import { loadWithRetry } from "../lib/loading.svelte";
import type { Sentences } from "../lib/words";
import type { Sketch } from "./hex/pictures";

type Module<T> = () => Promise<{ default: T }>;

interface Parts {
  /** Texts for the set-up form and for help. */
  later: Record<Language, Module<Sentences>>;
  /** The picture for the game's card. */
  art?: Module<Component>;
  /** Pictures of rules, by rule id. */
  pictures: () => Promise<Pictures>;
}

export interface Pictures {
  Picture: Component<{ sketch: Sketch; tint: string }>;
  sketches: Record<string, Sketch>;
  tint: string;
}

const PARTS: Record<string, Parts> = {
  "deep-sea": {
    later: {
      en: () => import("../generated/sentences/deep-sea.later.en"),
      fr: () => import("../generated/sentences/deep-sea.later.fr"),
    },
    pictures: () => import("./deep-sea/pictures"),
  },
  "the-island": {
    later: {
      en: () => import("../generated/sentences/the-island.later.en"),
      fr: () => import("../generated/sentences/the-island.later.fr"),
    },
    art: () => import("./the-island/Art.svelte"),
    pictures: () => import("./the-island/pictures"),
  },
  atlantis: {
    later: {
      en: () => import("../generated/sentences/atlantis.later.en"),
      fr: () => import("../generated/sentences/atlantis.later.fr"),
    },
    art: () => import("./atlantis/Art.svelte"),
    pictures: () => import("./atlantis/pictures"),
  },
  "mauna-kea": {
    later: {
      en: () => import("../generated/sentences/mauna-kea.later.en"),
      fr: () => import("../generated/sentences/mauna-kea.later.fr"),
    },
    art: () => import("./mauna-kea/Art.svelte"),
    pictures: () => import("./mauna-kea/pictures"),
  },
};

export async function loadLaterSentences(game: string, language: Language): Promise<Sentences> {
  const parts = PARTS[game];
  return parts ? (await loadWithRetry(parts.later[language])).default : readSentences(game, language);
}

export async function loadArt(game: string): Promise<Component | null> {
  const parts = PARTS[game];
  const art = parts ? parts.art : () => import("./plain/Art.svelte");
  return art ? (await loadWithRetry(art)).default : null;
}

export async function loadPictures(game: string): Promise<Pictures | null> {
  const parts = PARTS[game];
  return parts ? loadWithRetry(parts.pictures) : null;
}
