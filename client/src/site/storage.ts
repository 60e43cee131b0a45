/** What a static site keeps in this browser: tables, files for use without a network, and settings. */
import { ofPlace } from "../lib/storage";
import { SNAPSHOTS } from "./runtime";
import { site } from "./site_transport";

/** The bytes in use, or null if the browser does not tell. */
export const usage = async (): Promise<number | null> => (await navigator.storage?.estimate?.())?.usage ?? null;

/** Whether the browser keeps everything also when its storage gets scarce; null if it does not tell. */
export const isKept = async (): Promise<boolean | null> => (await navigator.storage?.persisted?.()) ?? null;

/** Asks the browser to keep everything also when its storage gets scarce. */
export const goOnKeeping = async (): Promise<boolean> => (await navigator.storage?.persist?.()) ?? false;

/** What the local storage has of a server on this host. */
const OF_SERVERS = ["tables", "history", "clubs", "profile"];

/** Whether a key of the local storage is this site's, and not that of a server or of another site on this host. */
function isOurs(key: string): boolean {
  const [, name] = /^archipel\.(.*)$/.exec(key) ?? [];
  if (name === undefined) return false;
  return name.includes(" ") ? name === ofPlace(name.split(" ")[0]!) : !OF_SERVERS.includes(name);
}

/** Removes everything that this site keeps, and loads the page anew. */
export async function removeEverything(): Promise<void> {
  for (const registration of await navigator.serviceWorker?.getRegistrations() ?? []) {
    if (registration.scope === site) await registration.unregister();
  }
  for (const name of await caches.keys()) {
    if (name.startsWith(`archipel files ${site} `) || name === SNAPSHOTS) await caches.delete(name);
  }
  for (const key of Object.keys(localStorage)) if (isOurs(key)) localStorage.removeItem(key);
  // The worker that has the tables closes them.
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(`archipel ${site}`);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error as Error);
  });
  location.assign(site);
}
