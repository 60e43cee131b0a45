import { loadWithRetry } from "../lib/loading.svelte";
import type { Language } from "../generated/messages";
import type { Sketch } from "./hex/pictures";

/** A one-minute introduction: each part has a sentence or two, and a drawing of board pieces. */
export interface About {
  aim: string;
  turn: readonly string[];
  fear: string;
  end: string;
}

export interface Drawings {
  aim: Sketch;
  turn: readonly Sketch[];
  fear: Sketch;
  end: Sketch;
}

const TEXTS: Record<Language, () => Promise<{ about: Record<string, About> }>> = {
  en: () => import("./about.en"),
  fr: () => import("./about.fr"),
};

export const loadAbout = async (game: string, language: Language): Promise<About | undefined> => (await loadWithRetry(TEXTS[language])).about[game];
export const loadDrawings = async (game: string): Promise<Drawings | undefined> => (await loadWithRetry(() => import("./drawings"))).drawings[game];
