/** What the pages of a static site show of their runtime. */
import type { Failure } from "./messages";

class SiteState {
  /** The arrived part of the runtime, from 0 to 1. */
  loaded = $state.raw(0);
  ready = $state.raw(false);
  failure = $state.raw<Failure | null>(null);
  /** Times of the start in milliseconds, by event. */
  times = $state.raw<Record<string, number>>({});
}

export const siteState = new SiteState();
