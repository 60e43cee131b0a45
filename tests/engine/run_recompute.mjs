// Judges games by their draws and prints the verdicts.
// usage: node run_recompute.mjs LOADER MODULE < TASK
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , loader, file] = process.argv;
const { isRecomputed } = await import(pathToFileURL(loader));
const checker = readFileSync(file);
const { secret, nonces, games } = JSON.parse(readFileSync(0, "utf8"));
const verdicts = [];
for (const { draws, scores } of games) {
  verdicts.push(await isRecomputed(checker, { secret: Buffer.from(secret, "hex"), nonces }, draws, scores));
}
console.log(JSON.stringify(verdicts));
