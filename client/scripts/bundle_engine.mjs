// Writes the rules' loader as one plain module, for callers outside of a browser: the tests in Node.
// usage: node scripts/bundle_engine.mjs FILE
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const [, , file] = process.argv;
if (!file) {
  console.error("usage: node scripts/bundle_engine.mjs FILE");
  process.exit(2);
}
const input = fileURLToPath(new URL("../src/engine/rules_module.ts", import.meta.url));
const bundle = await rolldown({ input });
await bundle.write({ file, format: "esm" });
