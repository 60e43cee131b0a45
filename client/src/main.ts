import { mount } from "svelte";
import App from "./App.svelte";
import { loadFace, loadSentences } from "./games";
import { fileAt, isSite } from "./lib/addresses";
import { pages } from "./lib/pages";
import { trouble } from "./lib/loading.svelte";
import { route } from "./lib/route.svelte";
import { settings } from "./lib/settings.svelte";
import { keptTable } from "./lib/tables";
import { useTransport } from "./lib/transport";
import { useLanguage } from "./texts/index.svelte";

// The tables of a static site are in a worker of the page.
if (isSite) useTransport((await import("./site/site_transport")).siteTransport);
// Start all downloads at once.
const { place } = route;
void pages[place.page]();
const game = place.page === "table" ? keptTable(place.id)?.game : undefined;
if (game) {
  void loadFace(game);
  void loadSentences(game, settings.language);
}
// Unexpected errors: the browser reports them as usual, and the page shows a notice.
for (const kind of ["error", "unhandledrejection"]) {
  addEventListener(kind, (event) => {
    if (!(event instanceof ErrorEvent) || event.error) trouble.happens();
  });
}
const target = document.getElementById("app")!;
// Texts needed before a language has loaded.
const apology = setTimeout(() => {
  const line = document.createElement("p");
  line.textContent = "Part of the page is on its way… · Une partie de la page est en route…";
  target.querySelector(".shell")?.append(line);
}, 3_000);
await useLanguage(settings.language);
clearTimeout(apology);
target.replaceChildren();
mount(App, { target });

if (isSite) (await import("./site/offline.svelte")).offline.start();
// Browsers allow service workers only with HTTPS or on localhost.
else if (import.meta.env.PROD && window.isSecureContext && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register(fileAt("/worker.js")).catch(() => undefined);
}
