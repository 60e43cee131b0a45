import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** What every page needs is one file: packed together it is smaller than in many. */
const CORE = /node_modules.svelte\b|src.(lib.(?!clock|connection|cues|differences|fair_dice|history|holding|lobby|pace|presence|session|sha256|typed)|look.(Icon|Person|pieces)|texts.index|games.index)/;

/** So is what every table needs; and games draw on parts of it. */
const TABLE = /src.(board.(Board|Ring|camera|lens|snap)|lib.(clock|connection|differences|holding|pace|presence|session)|look.Compass|table.(TablePage|Doing|Header|at_table|captions|choosing|one_device|past|stage|tabs|telling))\b/;

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/archipel/serve/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Parts that are loaded later bring their scripts themselves: only their style sheets need naming, and
      // not that of the core, which is there. Lists of everything would be a kilobyte of every first page.
      resolveDependencies: (_, files, { hostType }) => (hostType === "js" ? files.filter((file) => /\.css$/.test(file) && !/core-/.test(file)) : files),
    },
    manifest: "assets/manifest.json",
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "core", test: CORE }, { name: "table", test: TABLE }] } } },
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  test: { include: ["tests/**/*.test.ts"], css: true },
});
