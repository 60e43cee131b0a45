import type { Language } from "../generated/messages";
import type { DealWords } from "./words.en";

export type { DealWords };

export const WORDS: Record<Language, () => Promise<DealWords>> = {
  en: async () => (await import("./words.en")).wordsEn,
  fr: async () => (await import("./words.fr")).wordsFr,
};
