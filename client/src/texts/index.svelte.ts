import type { Language } from "../messages";
import type { Texts } from "./en";

const LANGUAGES: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import("./en")).en,
  fr: async () => (await import("./fr")).fr,
};

let current = $state.raw<Texts>();

/** Load a language and show everything in it. */
export async function useLanguage(language: Language): Promise<void> {
  current = await LANGUAGES[language]();
  document.documentElement.lang = language;
}

/** The words of the language in use. `useLanguage` must have finished once. */
export function t(): Texts {
  return current!;
}
