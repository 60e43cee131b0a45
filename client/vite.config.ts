import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Modules that every page needs: one chunk, because it compresses better than many. */
const CORE = /node_modules.svelte\b|src.(lib.(?!clock|connection|cues|differences|fair_dice|history|device_holder|lobby|pace|presence|session|sha256|typed_moves)|look.(Icon|Person|pieces)|texts.index|games.index)/;

/** Modules that every table needs; the games import some of them. */
const TABLE = /src.(board.(Board|Ring|camera|lens|targets)|lib.(clock|connection|differences|device_holder|pace|presence|session)|look.Compass|table.(TablePage|ActionBar|Header|table_model|captions|choosing|one_device|past_positions|stage|tabs|game_text))\b/;

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/archipel/serve/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Lazily loaded parts import their own scripts. Preload only their style sheets, without that of the
      // core: full lists would add a kilobyte to every first page.
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
