// Runs the coroutine `main` of a Python script in Pyodide, in Node.
// usage: node run_in_pyodide.mjs PYODIDE SCRIPT FOLDER [EXTENSION]
// FOLDER is mounted at /work. EXTENSION is a library that is loaded before Python starts.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , pyodide, script, folder, extension] = process.argv;
const LIBRARY = "/lib/msgspec/_core.so";
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
try {
  if (extension) globalThis.earlyLibraries = { [LIBRARY]: readFileSync(extension) };
  globalThis.pythonModule = WebAssembly.compile(readFileSync(`${pyodide}/pyodide.asm.wasm`));
  const python = await loadPyodide({
    fsInit: async (files) => {
      files.mkdirTree("/lib/msgspec");
      files.writeFile(LIBRARY, new Uint8Array());
    },
  });
  python.mountNodeFS("/work", folder);
  python.runPython(readFileSync(script, "utf8"));
  await python.runPythonAsync("await main()");
} catch (error) {
  console.error(String(error.message ?? error).slice(-2000));
  process.exit(1);
}
