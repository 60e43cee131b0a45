// Fails when a page has more to load than promised. Sizes are of the built files, packed with gzip.
//
// A first table, one game in one language, is everything that is loaded before one can see the board and tap. What
// follows it is not counted (gestures, animations, keys, the sheet beside a wide board). With everything opened, also
// the parts that are loaded when one first asks for them (rules, help, the board in words, the result, the replay, the
// gathering before a game).
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUILT = new URL("../../src/archipel/serve/static/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("assets/manifest.json", BUILT), "utf8"));
const games = Object.keys(manifest).flatMap((name) => name.match(/^src\/games\/([^/]+)\/face\.ts$/)?.[1] ?? []);
const languages = ["en", "fr"];
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

const size = (file) => gzipSync(readFileSync(new URL(file, BUILT)), { level: 9 }).length;

/** The script files that a source file brings along, itself included. */
function files(source, found = new Set()) {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`nothing was built from ${source}`);
  if (!found.has(chunk.file)) {
    found.add(chunk.file);
    for (const other of chunk.imports ?? []) files(other, found);
  }
  return found;
}

const union = (...sources) => sources.reduce((all, source) => files(source, all), new Set());
const total = (set) => [...set].reduce((sum, file) => sum + size(file), 0);

/** What the table page loads when one first opens a part of it. */
const parts = Object.keys(manifest).filter((name) => name.startsWith("src/table/") && manifest[name].isDynamicEntry);
const core = union("index.html", "src/table/TablePage.svelte");
const words = (language) => [`src/texts/${language}.ts`, `src/generated/sentences/tables.${language}.ts`];
const told = (game, language) => [
  `src/generated/sentences/${game}.${language}.ts`,
  `src/games/${game}/words.${language}.ts`,
];
/** What is said when one sets a game up, gathers for it, or asks for help. */
const later = (game, language) => [
  `src/texts/home.${language}.ts`,
  `src/texts/more.${language}.ts`,
  `src/generated/sentences/${game}.later.${language}.ts`,
];
const without = (set, base) => new Set([...set].filter((file) => !base.has(file)));

/** The game that most people open first is loaded whole within the budget of a page. */
const FIRST = "deep-sea";

const checks = [];
for (const language of languages) {
  const all = [`src/games/${FIRST}/face.ts`, ...words(language), ...told(FIRST, language)];
  const table = union("index.html", "src/table/TablePage.svelte", ...all);
  checks.push([`first table: ${FIRST}, ${language}`, total(table), 60_000]);
  const opened = union("index.html", "src/table/TablePage.svelte", ...parts, ...all, ...later(FIRST, language));
  checks.push([`  with everything opened`, total(opened), 113_000]);
  const everyWord = union(...words(language), `src/texts/home.${language}.ts`, `src/texts/more.${language}.ts`);
  checks.push([`words: tables, ${language}`, total(without(everyWord, core)), 12_000]);
}
for (const game of games) {
  checks.push([`script: ${game}`, total(without(union(`src/games/${game}/face.ts`), core)), 15_000]);
  // A game of another package brings its words along: they come from the server.
  for (const language of game === "plain" ? [] : languages)
    checks.push([
      `  words: ${game}, ${language}`,
      total(without(union(...told(game, language), `src/generated/sentences/${game}.later.${language}.ts`), core)),
      12_000,
    ]);
}
const home = union("index.html", "src/home/Home.svelte", "src/texts/en.ts", "src/texts/home.en.ts", "src/texts/more.en.ts");
checks.push(["home page", total(home), 60_000]);

let failed = false;
for (const [name, bytes, most] of checks) {
  const over = bytes > most;
  failed ||= over;
  console.log(`${over ? "TOO BIG" : "ok     "} ${name.padEnd(30)} ${kilobytes(bytes).padStart(9)} of ${kilobytes(most)}`);
}
process.exit(failed ? 1 : 0);
