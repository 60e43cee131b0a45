// Keeps a whole site in the browser, so that it also works without a network. The builder writes before this text:
//   VERSION  a hash of everything that is kept
//   BUNDLE   the address of one compressed file with most files, and its size
//   PARTS    for each file of the bundle, where it begins there and its length
//   OTHERS   the other files with their sizes; a hash of their content is in their addresses
// A new version waits until the visitor restarts the page, or until no page of the site is open.

const SCOPE = new URL("./", location.href);
const STORES = `archipel files ${SCOPE.href} `;
const STORE = STORES + VERSION;
/** The cache with the file that was shared with the installed app (see `client/src/record/SharedRecord.svelte`). */
const SHARED = "archipel-shared";
const TYPES = {
  css: "text/css",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
};

const addressOf = (path) => new URL(path, SCOPE).href;
const typeOf = (path) => TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
const respond = (path, content) => new Response(content, { headers: { "Content-Type": typeOf(path), "Content-Length": String(content.byteLength) } });

// ---- installing ----------------------------------------------------------------------------------------

self.addEventListener("install", (event) => event.waitUntil(keepEverything()));

self.addEventListener("activate", (event) => event.waitUntil(replaceOlderVersions()));

self.addEventListener("message", ({ data }) => {
  if (data === "restart") void self.skipWaiting();
});

async function keepEverything() {
  const store = await caches.open(STORE);
  const all = BUNDLE.size + Object.values(OTHERS).reduce((sum, size) => sum + size, 0);
  let arrived = 0;
  const progress = async (more) => {
    arrived += more;
    for (const page of await self.clients.matchAll({ includeUncontrolled: true })) page.postMessage({ kind: "keeping", done: arrived / all });
  };
  for (const [path, size] of Object.entries(OTHERS)) {
    const known = await caches.match(addressOf(path));
    await store.put(addressOf(path), known ?? (await fetched(path)));
    await progress(size);
  }
  const files = await unpacked(await fetched(BUNDLE.path));
  for (const [path, [start, length]] of Object.entries(PARTS)) await store.put(addressOf(path), respond(path, files.slice(start, start + length)));
  await progress(BUNDLE.size);
}

async function fetched(path) {
  const response = await fetch(addressOf(path));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return respond(path, await response.arrayBuffer());
}

/** The decompressed content; hosts may have decompressed it already. */
async function unpacked(response) {
  const content = new Uint8Array(await response.arrayBuffer());
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content.buffer;
  const whole = new Response(content).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(whole).arrayBuffer();
}

async function replaceOlderVersions() {
  for (const name of await caches.keys()) if (name.startsWith(STORES) && name !== STORE) await caches.delete(name);
  await self.clients.claim();
}

// ---- answering -----------------------------------------------------------------------------------------

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (!address.href.startsWith(SCOPE.href)) return;
  let path = address.pathname.slice(SCOPE.pathname.length);
  if (request.method === "POST" && path === "share") return event.respondWith(keepShared(request));
  if (path === "" || path.endsWith("/")) path += "index.html";
  if (request.method === "GET" && (path in PARTS || path in OTHERS)) event.respondWith(found(path, request));
});

/** The kept file, or that of the host if the browser has removed it. */
async function found(path, request) {
  const store = await caches.open(STORE);
  return (await store.match(addressOf(path))) ?? fetch(request);
}

/** A record that another app shares: keep it for the page, which opens it. */
async function keepShared(request) {
  const file = (await request.formData()).get("record");
  if (file instanceof File) await (await caches.open(SHARED)).put(addressOf("share"), new Response(file));
  return Response.redirect(addressOf("?/shared"), 303);
}
