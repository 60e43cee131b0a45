export type Tab = "log" | "seats" | "help" | "rules" | "talk" | "text" | "settings";

/** What is asked about in the rules: a piece, or a phase. */
export interface About {
  title: string;
  rules: readonly string[];
}

/** Which part of the sheet is open. On a wide screen one always is, and the seats are beside it. */
export class Tabs {
  open = $state.raw<Tab | null>(null);
  about = $state.raw<About | null>(null);
  /** How often somebody asked to type a move: each time, the field for it takes the focus. */
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

  /** To where moves are typed. */
  readonly type = (): void => {
    this.open = "text";
    this.typing += 1;
  };

  readonly showRules = (title: string, rules: readonly string[]): void => {
    this.about = { title, rules };
    this.open = "rules";
  };
}
