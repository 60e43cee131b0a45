export type Tab = "log" | "seats" | "help" | "rules" | "talk" | "text" | "settings";

/** The topic for the rules: a piece or a phase. */
export interface About {
  title: string;
  rules: readonly string[];
}

/** The open tab. On a wide screen one is always open, and the seats are beside it. */
export class Tabs {
  open = $state.raw<Tab | null>(null);
  about = $state.raw<About | null>(null);
  /** Counts requests to type a move; each one focuses the text field. */
  typing = $state.raw(0);

  constructor(private readonly isWide: () => boolean) {}

  get shown(): Tab | null {
    return this.isWide() ? (this.open && this.open !== "seats" ? this.open : "log") : this.open;
  }

  readonly show = (next: Tab): void => {
    if (next === "rules") this.about = null;
    this.typing = 0;
    this.open = this.open === next && !this.isWide() ? null : next;
  };

  /** Opens the tab for typing moves. */
  readonly type = (): void => {
    this.open = "text";
    this.typing += 1;
  };

  readonly showRules = (title: string, rules: readonly string[]): void => {
    this.about = { title, rules };
    this.open = "rules";
  };
}
