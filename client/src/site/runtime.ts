/** Starts the Python runtime of a static site: from its files, or quicker from a snapshot of its memory. */

/** As much of Pyodide as this file uses. */
interface Pyodide {
  FS: FileSystem;
  runPython(code: string): unknown;
  pyimport(name: string): never;
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}

interface FileSystem {
  mkdirTree(path: string): void;
  writeFile(path: string, content: Uint8Array): void;
}

type CreateModule = (settings: Record<string, unknown>) => Promise<unknown>;

/** The compressed files that Python needs to start; `archipel.zip` comes later. */
const FILES = ["pyodide.asm.mjs", "python.wasm", "stdlib.zip", "msgspec.so", "pyodide.mjs"] as const;
type File = (typeof FILES)[number] | "archipel.zip";

/** Where Python finds them. The extension module has no content there: it is loaded before Python starts, always at the
 * same address, so that a snapshot of the memory fits. */
const PACKAGE = "/lib/archipel.zip";
const EXTENSION = "/lib/msgspec/_core.so";

const PREPARE = `
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import spec_from_file_location

class ExtensionFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "msgspec._core":
            loader = ExtensionFileLoader(name, "${EXTENSION}")
            return spec_from_file_location(name, "${EXTENSION}", loader=loader)

sys.path.insert(0, "${PACKAGE}")
sys.meta_path.insert(0, ExtensionFinder)
import archipel.tab.start
`;

/** After so many bytes the progress is told again. */
const STEP = 100_000;

/** The name of the cache with snapshots, and of the snapshot of a runtime in it. */
export const SNAPSHOTS = "archipel-snapshots";
const snapshotOf = (runtime: string) => new URL("snapshot", runtime).href;

/** The times of events of the start, in milliseconds since 1970. */
export const times: Record<string, number> = {};
export const note = (event: string): void => void (times[event] = performance.timeOrigin + performance.now());

/** The decompressed content of a file; hosts may have decompressed it already. */
async function unpacked(runtime: string, file: File, arrived: (bytes: number) => void): Promise<Response> {
  const response = await fetch(new URL(`${file}.gz`, runtime));
  if (!response.ok || !response.body) throw new Error(`${file}: ${response.status}`);
  let packed: boolean | null = null;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        arrived(piece.length);
        controller.enqueue(piece);
      },
    }),
  );
  const reader = counted.getReader();
  const first = await reader.read();
  packed = first.value?.[0] === 0x1f && first.value[1] === 0x8b;
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => (first.value ? controller.enqueue(first.value) : controller.close()),
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const type = file.endsWith(".wasm") ? "application/wasm" : "text/javascript";
  return new Response(packed ? whole.pipeThrough(new DecompressionStream("gzip")) : whole, { headers: { "Content-Type": type } });
}

const bytesOf = async (response: Promise<Response>): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await (await response).arrayBuffer());

async function moduleOf<T>(response: Promise<Response>): Promise<T> {
  const address = URL.createObjectURL(await (await response).blob());
  try {
    return (await import(/* @vite-ignore */ address)) as T;
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function storedSnapshot(runtime: string): Promise<Uint8Array | null> {
  try {
    const found = await (await caches.open(SNAPSHOTS)).match(snapshotOf(runtime));
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  } catch {
    return null; // no cache in this browser or mode
  }
}

/** The modules of Archipel, as an archive. */
export const fetchPackages = async (runtime: string): Promise<Uint8Array<ArrayBuffer>> => bytesOf(unpacked(runtime, "archipel.zip", () => undefined));

export interface StartOptions {
  /** Gets the arrived part of the files, from 0 to 1. */
  progress?: (done: number) => void;
  /** Fetches the modules, perhaps in another thread, while Python starts in this one. */
  packages?: () => Promise<Uint8Array<ArrayBuffer>>;
  /** A snapshot will be made of it. */
  making?: boolean;
}

/** Starts Python with `archipel.tab.start` imported. */
export async function startPython(
  runtime: string,
  { progress = () => undefined, packages: fetchThem = () => fetchPackages(runtime), making = false }: StartOptions,
): Promise<Pyodide> {
  let bytes = 0;
  const sizes = (async () => (await (await fetch(new URL("sizes.json", runtime))).json()) as Record<string, number>)();
  const all = sizes.then((found) => FILES.reduce((sum, name) => sum + found[name]!, 0));
  let told = 0;
  const arrived = (more: number): void => {
    bytes += more;
    if (bytes - told < STEP) return;
    told = bytes;
    void all.then((most) => progress(Math.min(1, bytes / most)));
  };
  const file = (name: File) => unpacked(runtime, name, arrived);
  const snapshot = making ? Promise.resolve(null) : storedSnapshot(runtime);
  const compiled = WebAssembly.compileStreaming(file("python.wasm"));
  const [{ loadPyodide }, asm, stdlib, extension, memory] = await Promise.all([
    moduleOf<{ loadPyodide(options: Record<string, unknown>): Promise<Pyodide> }>(file("pyodide.mjs")),
    moduleOf<{ default: CreateModule }>(file("pyodide.asm.mjs")),
    bytesOf(file("stdlib.zip")),
    bytesOf(file("msgspec.so")),
    snapshot,
  ]);
  await compiled;
  note("compiled");
  const packages = fetchThem();
  packages.catch(() => undefined); // heard of below
  Object.assign(globalThis, { earlyLibraries: { [EXTENSION]: extension }, pythonModule: compiled });
  const stdLibURL = URL.createObjectURL(new Blob([stdlib]));
  const load = async (more: Record<string, unknown>) => {
    const python = await loadPyodide({
      indexURL: runtime,
      stdLibURL,
      lockFileContents: '{"info":{"abi_version":"2026_0","arch":"wasm32","platform":"emscripten_5_0_3","python":"3.14.2"},"packages":{}}',
      createPyodideModule: asm.default,
      fsInit: async (files: FileSystem) => {
        files.mkdirTree(EXTENSION.slice(0, EXTENSION.lastIndexOf("/")));
        files.writeFile(EXTENSION, new Uint8Array());
      },
      ...more,
    });
    note(more["_loadSnapshot"] ? "restored" : "python");
    python.FS.writeFile(PACKAGE, await packages);
    note("files");
    return python;
  };
  if (memory) {
    try {
      return await load({ _loadSnapshot: memory });
    } catch (error) {
      console.warn("the snapshot does not fit and is removed", error);
      await (await caches.open(SNAPSHOTS)).delete(snapshotOf(runtime));
    }
  }
  const python = await load(making ? { _makeSnapshot: true } : {});
  python.runPython(PREPARE);
  note("imported");
  return python;
}

/** Makes a snapshot for the next visit, unless there is one. */
export async function makeSnapshot(runtime: string): Promise<void> {
  const cache = await caches.open(SNAPSHOTS);
  const name = snapshotOf(runtime);
  if (await cache.match(name)) return;
  // Those of earlier versions; another site of this host has its own.
  for (const { url } of await cache.keys()) if (url.startsWith(new URL("..", runtime).href)) await cache.delete(url);
  const python = await startPython(runtime, { making: true });
  await cache.put(name, new Response(python.makeMemorySnapshot()));
}
