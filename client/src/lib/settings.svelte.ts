import type { Colour, Language, OptionDescription } from "../generated/messages";
import { remember, remembered } from "./storage";

export type Theme = "auto" | "light" | "dark";
/** The standing answer to defence questions: ask me, use the tile, keep it. */
export type Answer = "ask" | "use" | "keep";
export type Speed = "slow" | "normal" | "fast" | "off";

interface Kept {
  language: Language;
  theme: Theme;
  speed: Speed;
  answer: Answer;
  /** Whether every move on the board needs a second tap. */
  confirm: boolean;
  sound: boolean;
  /** From 0 to 1. */
  volume: number;
  notifications: boolean;
  name: string;
  colour: Colour | null;
  /** By game: the number and kind of bots for a quick game, and its options. */
  opponents: Record<string, Opponents>;
}

export interface Opponents {
  count: number;
  bot: string;
  options?: Record<string, OptionDescription["default"]>;
}

const defaults: Kept = {
  language: typeof navigator !== "undefined" && navigator.language.startsWith("fr") ? "fr" : "en",
  theme: "auto",
  speed: "normal",
  answer: "ask",
  confirm: false,
  sound: false,
  volume: 0.5,
  notifications: false,
  name: "",
  colour: null,
  opponents: {},
};

/** The settings of this device. Change them with `set`. */
class Settings {
  #kept = $state<Kept>({ ...defaults, ...remembered<Partial<Kept>>("settings", {}) });

  get language(): Language {
    return this.#kept.language;
  }
  get theme(): Theme {
    return this.#kept.theme;
  }
  get speed(): Speed {
    return this.#kept.speed;
  }
  get answer(): Answer {
    return this.#kept.answer;
  }
  get confirm(): boolean {
    return this.#kept.confirm;
  }
  get sound(): boolean {
    return this.#kept.sound;
  }
  get volume(): number {
    return this.#kept.volume;
  }
  get notifications(): boolean {
    return this.#kept.notifications;
  }
  get name(): string {
    return this.#kept.name;
  }
  get colour(): Colour | null {
    return this.#kept.colour;
  }
  get opponents(): Record<string, Opponents> {
    return this.#kept.opponents;
  }

  set(changes: Partial<Kept>): void {
    Object.assign(this.#kept, changes);
    remember("settings", this.#kept);
    if (changes.theme) showTheme(changes.theme);
  }
}

function showTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export const settings = new Settings();
