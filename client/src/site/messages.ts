/** The messages between pages of a static site and the worker that holds their tables. Channels and requests
 * have names that begin with the page's own. */

export type ToAuthority =
  | { kind: "open"; channel: string; table: string }
  | { kind: "text"; channel: string; text: string }
  | { kind: "close"; channel: string }
  | { kind: "ask"; request: string; path: string; language: string; body: string | null }
  | { kind: "export"; request: string; kept: string }
  | { kind: "import"; request: string; file: Uint8Array }
  /** One table as a file for a server; the answer's text is the number of its last event. */
  | { kind: "pack"; request: string; table: string }
  /** The modules of Archipel. */
  | { kind: "packages"; packages: Uint8Array<ArrayBuffer> | null }
  /** Bots rest while nobody sees a page. */
  | { kind: "rest"; resting: boolean };

export type FromAuthority =
  | { kind: "text"; channel: string; text: string }
  | { kind: "closed"; channel: string }
  | { kind: "answer"; request: string; status: number; text: string; file?: Uint8Array }
  | { kind: "loading"; done: number }
  /** The page is to fetch the modules: the worker is busy with starting Python. */
  | { kind: "fetch_packages" }
  | { kind: "ready"; times: Record<string, number> }
  | { kind: "failed"; why: Failure; detail: string };

/** Why there are no tables: no storage (for example in a private window), storage full, tables removed while the page is
 * open, or anything else. */
export type Failure = "storage" | "full" | "removed" | "runtime";

/** The first message to the worker: the folder of the Python runtime, the folder of the site, and the address of the
 * server where its tables may continue, if any. */
export interface Start {
  runtime: string;
  site: string;
  server: string;
}
