/** What survives a reload: the lines of guests and hosts, in IndexedDB, because certificates fit nowhere else. */
import type { LineRecord } from "./line";
import type { RoomSecrets } from "./room";

export interface GuestRecord {
  /** The guest's id at the host; a secret of the two. */
  id: string;
  line: LineRecord;
  /** Where to meet the host again, if a signalling server was used. */
  room: string | null;
}

export interface HostRecord {
  guests: Record<string, LineRecord>;
  room: RoomSecrets | null;
}

/** Resolves when no other tab of this browser holds the lines of this name; then this tab does until it closes. */
export function alone(name: Key): Promise<void> {
  return new Promise((resolve) => {
    const locks = navigator.locks as LockManager | undefined; // needs HTTPS
    if (!locks) return resolve();
    void locks.request(`archipel.${name}`, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
}

type Key = `${"guest" | "host"}/${string}`;
const STORE = "lines";

const database = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open("archipel-friends", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error!);
  });

async function within<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opened = await database();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = opened.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error!);
    });
  } finally {
    opened.close();
  }
}

/** Null if there is none, or if this browser keeps nothing. */
export const read = <T>(key: Key): Promise<T | null> =>
  within("readonly", (store) => store.get(key) as IDBRequest<T | undefined>).then(
    (found) => found ?? null,
    () => null,
  );

/** Without storage the value lives as long as the page. */
export const keep = (key: Key, value: GuestRecord | HostRecord): Promise<unknown> =>
  within("readwrite", (store) => store.put(value, key)).catch(() => undefined);
