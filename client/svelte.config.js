import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    modernAst: true,
    discloseVersion: false,
    // Short names for the styles of each part: they stand in its script again and again.
    cssHash: ({ hash, filename }) => `s${hash(filename.replace(/^.*[\\/]src[\\/]/, "")).slice(0, 4)}`,
  },
};
