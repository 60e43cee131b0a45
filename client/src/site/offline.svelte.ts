/** Keeps the site for use without a network, by its service worker, and replaces it by a new version when asked. */
import { fileAt } from "../lib/addresses";
import { siteState } from "./site_state.svelte";

/** `unavailable`: this browser or window cannot keep a site. */
export type Keeping = "waiting" | "keeping" | "ready" | "failed" | "unavailable";

/** The browser's offer to install the site as an app. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

/** How often a page that stays open looks for a new version, in milliseconds. */
const LOOK_AGAIN = 60 * 60 * 1000;

/** How long after the tables are ready the download for offline use begins, in milliseconds. */
const SOON = 3_000;

class Offline {
  state = $state.raw<Keeping>("waiting");
  /** The part of the files that is kept, from 0 to 1. */
  done = $state.raw(0);
  /** A new version that waits until the visitor restarts the page. */
  update = $state.raw<ServiceWorker | null>(null);
  offer = $state.raw<InstallOffer | null>(null);

  start(): void {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      this.offer = event as InstallOffer;
    });
    addEventListener("appinstalled", () => (this.offer = null));
    const { serviceWorker } = navigator;
    if (!serviceWorker) {
      this.state = "unavailable";
      return;
    }
    serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ kind: string; done: number }>) => {
      if (data.kind === "keeping") this.done = data.done;
    });
    // The worker of a server or site around this one does not count.
    const own = new URL(fileAt("/worker.js"), location.href).href;
    const isKept = () => serviceWorker.controller?.scriptURL === own;
    let controlled = isKept();
    serviceWorker.addEventListener("controllerchange", () => {
      if (controlled) location.reload(); // into the new version
      controlled = isKept();
    });
    // The first visit loads the games first, and begins one.
    if (controlled) void this.#register(true);
    else void siteState.started.then(() => setTimeout(() => void this.#register(false), SOON));
  }

  /** Replaces this version by the one that waits; reloads all pages of the site. */
  restart(): void {
    this.update?.postMessage("restart");
  }

  async install(): Promise<void> {
    await this.offer?.prompt();
    this.offer = null;
  }

  async #register(controlled: boolean): Promise<void> {
    try {
      const registration = await navigator.serviceWorker.register(fileAt("/worker.js"));
      registration.addEventListener("updatefound", () => this.#follow(registration));
      this.#follow(registration);
      setInterval(() => void registration.update().catch(() => undefined), LOOK_AGAIN);
    } catch (error) {
      this.state = controlled ? "ready" : "failed";
      console.warn("the site is not kept for use without a network", error);
    }
  }

  #follow(registration: ServiceWorkerRegistration): void {
    const { active, waiting, installing } = registration;
    if (active) this.state = "ready";
    else if (installing) this.state = "keeping";
    if (waiting && active) this.update = waiting;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "redundant" && !registration.active) this.state = "failed";
      else this.#follow(registration);
    });
  }
}

export const offline = new Offline();
