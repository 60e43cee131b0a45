// Writes the session of a table as one plain module without a page, for the simulation of servers.
// usage: node scripts/bundle_session.mjs FILE
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { compileModule } from "svelte/compiler";
import ts from "typescript";

const [, , file] = process.argv;
if (!file) {
  console.error("usage: node scripts/bundle_session.mjs FILE");
  process.exit(2);
}

/** Svelte's state as plain fields; components, which a session only loads for a page, as nothing. */
const svelte = {
  name: "svelte-state",
  load(id) {
    if (id.endsWith(".svelte")) return "export default null;";
    if (!/\.svelte\.ts$/.test(id)) return null;
    const { outputText } = ts.transpileModule(readFileSync(id, "utf8"), {
      compilerOptions: { target: "esnext", module: "esnext", verbatimModuleSyntax: true },
    });
    return compileModule(outputText, { filename: id.replace(/\.ts$/, ".js"), generate: "server" }).js.code;
  },
};
const input = fileURLToPath(new URL("../src/lib/session.svelte.ts", import.meta.url));
const bundle = await rolldown({ input, platform: "node", plugins: [svelte] });
await bundle.write({ file, format: "esm", codeSplitting: false });
