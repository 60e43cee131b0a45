// Writes a part of the engine as one plain module, for callers other than the page: tests and benchmarks.
// usage: node scripts/bundle_engine.mjs FILE
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const [, , file] = process.argv;
if (!file) {
  console.error("usage: node scripts/bundle_engine.mjs FILE");
  process.exit(2);
}
const input = fileURLToPath(new URL("../src/engine/index.ts", import.meta.url));
const bundle = await rolldown({ input });
await bundle.write({ file, format: "esm" });
