/** Keys and values in IndexedDB, with durable commits: the database of `archipel.tab.browser_store`. */

type Row = [key: string, value: Uint8Array];

const STORE = "rows";

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error as Error);
  });

export class Rows {
  private constructor(
    private readonly database: IDBDatabase,
    lost: () => void,
  ) {
    // A page removes the database, or the browser does.
    database.onversionchange = () => {
      database.close();
      lost();
    };
    database.onclose = lost;
  }

  /** `lost` is called when the browser has closed the database. */
  static async open(name: string, lost: () => void): Promise<Rows> {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return new Rows(await done(request), lost);
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return done<Uint8Array | undefined>(this.#store().get(key));
  }

  /** The rows with `first <= key < end`, in order. */
  async scan(first: string, end: string, limit: number): Promise<Row[]> {
    const store = this.#store();
    const range = IDBKeyRange.bound(first, end, false, true);
    const [keys, values] = await Promise.all([done(store.getAllKeys(range, limit)), done(store.getAll(range, limit))]);
    return keys.map((key, number) => [key as string, values[number] as Uint8Array]);
  }

  /** Writes all rows or none; resolves when they are on the disk. Rows without a value are deleted. */
  async commit(rows: [string, Uint8Array | null | undefined][]): Promise<void> {
    const transaction = this.database.transaction(STORE, "readwrite", { durability: "strict" });
    const over = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject((transaction.error ?? new Error("the transaction was aborted")) as Error);
    });
    const store = transaction.objectStore(STORE);
    try {
      for (const [key, value] of rows) {
        if (value == null) store.delete(key);
        else store.put(value, key);
      }
      transaction.commit();
    } catch (error) {
      over.catch(() => undefined);
      transaction.abort();
      throw error;
    }
    await over;
  }

  close(): void {
    this.database.onclose = null;
    this.database.close();
  }

  #store(): IDBObjectStore {
    return this.database.transaction(STORE, "readonly").objectStore(STORE);
  }
}
