// Keeps the client's own files, so that the page opens at once and also without a network.
// What is played always comes from the server.
const STORE = "archipel-1";
/** The cache with the file that was shared with the installed app (see `src/record/SharedRecord.svelte`). */
const SHARED = "archipel-shared";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => /^archipel-\d+$/.test(name) && name !== STORE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method === "POST" && address.href === `${location.origin}/share`) return event.respondWith(keepShared(request));
  if (request.method !== "GET" || address.origin !== location.origin || /^\/(api|docs|offline)(\/|$)/.test(address.pathname)) return;
  if (address.pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (request.mode === "navigate") event.respondWith(fresh(request, "/"));
});

/** Files whose name tells their content never change. */
async function kept(request) {
  const store = await caches.open(STORE);
  const found = await store.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await store.put(request, answer.clone());
  return answer;
}

/** The page itself: the newest there is, or the last one seen. */
async function fresh(request, name) {
  const store = await caches.open(STORE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await store.put(name, answer.clone());
    return answer;
  } catch {
    return (await store.match(name)) ?? Response.error();
  }
}

/** A record that another app shares: keep it for the page, which opens it. */
async function keepShared(request) {
  const file = (await request.formData()).get("record");
  if (file instanceof File) await (await caches.open(SHARED)).put("/share", new Response(file));
  return Response.redirect("/shared", 303);
}

// Notices of games by days, in the declarative form: systems that know it show them without this script.
self.addEventListener("push", (event) => {
  const { title, body, tag, lang, navigate } = event.data.json().notification;
  const shown = { body, tag, lang, icon: "/icon-192.png", data: navigate };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(look(event.notification.data));
});

/** Show the page of a notice, in a window that is open if there is one. */
async function look(address) {
  const windows = await self.clients.matchAll({ type: "window" });
  const open = windows.find((each) => each.url.split("#")[0] === address) ?? windows[0];
  if (!open) return self.clients.openWindow(address);
  await open.focus();
  return open.url.split("#")[0] === address ? undefined : open.navigate(address);
}
