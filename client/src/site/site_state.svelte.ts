/** What the pages of a static site show of their runtime. */
import type { Failure } from "./messages";

class SiteState {
  /** The arrived part of the runtime, from 0 to 1. */
  loaded = $state.raw(0);
  ready = $state.raw(false);
  failure = $state.raw<Failure | null>(null);
  /** Bots rest because the battery is low. */
  saving = $state.raw(false);
  /** The lesson or puzzle that begins when the tables are ready. */
  lesson = $state.raw<{ game: string; lesson?: string | null } | null>(null);
  /** Resolved when the tables are ready, or have failed, for the first time. */
  readonly started: Promise<void>;
  over!: () => void;

  constructor() {
    this.started = new Promise((resolve) => (this.over = resolve));
  }
}

export const siteState = new SiteState();
