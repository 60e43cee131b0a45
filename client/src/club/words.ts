import type { Language } from "../generated/messages";
import type { ClubWords } from "./words.en";

export type { ClubWords };

export const WORDS: Record<Language, () => Promise<ClubWords>> = {
  en: async () => (await import("./words.en")).wordsEn,
  fr: async () => (await import("./words.fr")).wordsFr,
};
