import { mount } from "svelte";
import App from "./App.svelte";
import { isDrawn, loadFace, loadSentences } from "./games";
import { pages } from "./lib/pages";
import { route } from "./lib/route.svelte";
import { settings } from "./lib/settings.svelte";
import { keptTable } from "./lib/tables";
import { useLanguage } from "./texts/index.svelte";

// Everything that will be needed is asked for at once, not one after the other.
const { place } = route;
void pages[place.page]();
const game = place.page === "table" ? keptTable(place.id)?.game : undefined;
if (game && isDrawn(game)) {
  void loadFace(game);
  void loadSentences(game, settings.language);
}
await useLanguage(settings.language);
const target = document.getElementById("app")!;
target.replaceChildren();
mount(App, { target });

// Only HTTPS and localhost may install a service worker; elsewhere nothing is offered.
if (import.meta.env.PROD && window.isSecureContext && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register("/worker.js").catch(() => undefined);
}
