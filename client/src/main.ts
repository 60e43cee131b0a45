import { mount } from "svelte";
import App from "./App.svelte";
import { loadFace, loadSentences } from "./games";
import { pages } from "./lib/pages";
import { trouble } from "./lib/patience.svelte";
import { route } from "./lib/route.svelte";
import { settings } from "./lib/settings.svelte";
import { keptTable } from "./lib/tables";
import { useLanguage } from "./texts/index.svelte";

// Everything that will be needed is asked for at once, not one after the other.
const { place } = route;
void pages[place.page]();
const game = place.page === "table" ? keptTable(place.id)?.game : undefined;
if (game) {
  void loadFace(game);
  void loadSentences(game, settings.language);
}
// Whatever nobody thought of: the browser reports it as ever, and the page says so.
for (const kind of ["error", "unhandledrejection"]) {
  addEventListener(kind, (event) => {
    if (!(event instanceof ErrorEvent) || event.error) trouble.happens();
  });
}
const target = document.getElementById("app")!;
// Words that cannot wait for those of a language.
const apology = setTimeout(() => {
  const line = document.createElement("p");
  line.textContent = "Part of the page is on its way… · Une partie de la page est en route…";
  target.querySelector(".shell")?.append(line);
}, 3_000);
await useLanguage(settings.language);
clearTimeout(apology);
target.replaceChildren();
mount(App, { target });

// Only HTTPS and localhost may install a service worker; elsewhere nothing is offered.
if (import.meta.env.PROD && window.isSecureContext && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register("/worker.js").catch(() => undefined);
}
