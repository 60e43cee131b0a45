import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** What every page needs is one file: packed together it is smaller than in many. */
const CORE = /node_modules.svelte\b|src.(lib.(?!clock|cues|fair_dice|history|lobby|presence|sha256|typed)|look.(Icon|Person|pieces)|texts.index|games.index)/;

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/archipel/serve/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "assets/manifest.json",
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "core", test: CORE }] } } },
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  test: { include: ["tests/**/*.test.ts"], css: true },
});
