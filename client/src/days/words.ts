import type { Language } from "../generated/messages";
import type { DaysWords } from "./words.en";

export type { DaysWords };

export const WORDS: Record<Language, () => Promise<DaysWords>> = {
  en: async () => (await import("./words.en")).wordsEn,
  fr: async () => (await import("./words.fr")).wordsFr,
};
