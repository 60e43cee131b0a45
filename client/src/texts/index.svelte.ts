import { untrack } from "svelte";
import { loadWithRetry } from "../lib/loading.svelte";
import { settings } from "../lib/settings.svelte";
import type { Language } from "../generated/messages";
import type { TableTexts } from "./en";
import type { FriendsTexts } from "./friends.en";
import type { HomeTexts } from "./home.en";
import type { MoreTexts } from "./more.en";
import type { YouTexts } from "../you/you.en";

type Texts = TableTexts & HomeTexts & MoreTexts & FriendsTexts & YouTexts;
/** How texts are loaded, by language. */
export type Load = Record<Language, () => Promise<Partial<Texts>>>;
/** The texts of the table are always loaded; other parts load theirs. */
type Part = "home" | "more";

const TABLE: Load = {
  en: async () => (await import("./en")).en,
  fr: async () => (await import("./fr")).fr,
};
const PARTS: Record<Part, Load> = {
  home: {
    en: async () => (await import("./home.en")).homeEn,
    fr: async () => (await import("./home.fr")).homeFr,
  },
  more: {
    en: async () => (await import("./more.en")).moreEn,
    fr: async () => (await import("./more.fr")).moreFr,
  },
};

let current = $state.raw<Partial<Texts>>({});
const loading = new Map<Load, Promise<void>>();

/** Load a language and switch to it. */
export async function useLanguage(language: Language): Promise<void> {
  const wanted = [TABLE, ...loading.keys()];
  const found = await Promise.all(wanted.map((load) => loadWithRetry(load[language])));
  current = Object.assign({}, current, ...found) as Texts;
  document.documentElement.lang = language;
}

function usePart(part: Load): Promise<void> {
  const known = loading.get(part);
  if (known) return known;
  // Loaded parts do not wait again when the language changes, because `useLanguage` loads their texts.
  const loaded = loadWithRetry(part[untrack(() => settings.language)]).then((texts) => {
    current = { ...current, ...texts };
  });
  loading.set(part, loaded);
  return loaded;
}

/** Load a part of the page together with its texts. */
export async function withTexts<T>(parts: readonly (Part | Load)[], load: () => Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([loadWithRetry(load), ...parts.map((part) => usePart(typeof part === "string" ? PARTS[part] : part))]);
  return loaded;
}

/** The texts of the current language. */
export function t(): Texts {
  return current as Texts;
}
