import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Modules that every page needs: one chunk, because it compresses better than many. */
const CORE = /node_modules.svelte\b|src.(App|lib.(?!bots|carrying|clock|connection|cues|differences|fair_dice|history|device_holder|lobby|pace|presence|profile|session|sha256|turn_text|typed_moves)|look.(Icon|Person\b|pieces)|texts.index|games.index)/;

/** Modules that every table needs; the games import some of them. */
const TABLE = /src.(board.(Board|Ring|camera|lens|targets)|lib.(clock|connection|differences|device_holder|pace|presence|session)|look.Compass|table.(TablePage|ActionBar|Header|table_model|captions|choosing|one_device|past_positions|stage|tabs|game_text))\b/;

/** Parts of a table that are loaded on demand, some together, because they compress better than many. */
const ON_DEMAND = [
  { name: "tabs", test: /src.table.(TabContent|Help|Rules|TextBoard|Manage|Log)\b/, includeDependenciesRecursively: false },
  { name: "dialogs", test: /src.table.(Dialogs|ConfirmDialog|RoundOver|SinceLastVisit|PassDevice|FreeSeat|ChangeGame|End|Replay|OtherActions)\b/, includeDependenciesRecursively: false },
];

/** The texts of every table, by language. */
const TEXTS = ["en", "fr"].map((language) => ({ name: `table.${language}`, test: new RegExp(`src.(texts.|generated.sentences.tables.)${language}\\.ts`) }));

/** Vite wraps every dynamic import in a helper that first loads what the script needs; here that is always nothing,
 * because there is one style sheet and `modulePreload` names no scripts. */
const plainImports: Plugin = {
  name: "plain-imports",
  enforce: "pre",
  load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : undefined),
  renderChunk: (code) => code.replaceAll(", __VITE_PRELOAD__, import.meta.url)", ")"),
};

export default defineConfig({
  plugins: [svelte(), plainImports],
  // Scripts find each other wherever the folder is: a static site may be in a folder of its host.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === "js" ? { relative: true } : undefined) },
  worker: { format: "es" },
  build: {
    outDir: "../src/archipel/serve/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // One style sheet for all pages: without lists of style sheets, every script is smaller.
    cssCodeSplit: false,
    modulePreload: { polyfill: false, resolveDependencies: (_, files, { hostType }) => (hostType === "js" ? [] : files) },
    manifest: "assets/manifest.json",
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "core", test: CORE }, { name: "table", test: TABLE }, ...ON_DEMAND, ...TEXTS] } } },
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  // A busy machine is no failure.
  test: { include: ["tests/**/*.test.ts"], css: true, testTimeout: 60_000 },
});
