// Writes a part of the client as one plain module, for callers other than the page: tests and benchmarks.
// usage: node scripts/bundle_engine.mjs FILE [PART]
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const [, , file, part = "engine/index"] = process.argv;
if (!file) {
  console.error("usage: node scripts/bundle_engine.mjs FILE [PART]");
  process.exit(2);
}
const input = fileURLToPath(new URL(`../src/${part}.ts`, import.meta.url));
const bundle = await rolldown({ input });
await bundle.write({ file, format: "esm" });
