// Decides for a bot as a worker of a static site does, in steps; prints the answer.
// usage: node run_bots.mjs LOADER MODULE < TASK
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , loader, file] = process.argv;
const { bots, question, piece } = JSON.parse(readFileSync(0, "utf8"));
const { RulesModule } = await import(pathToFileURL(loader));
const { BotEngine } = await import(pathToFileURL(bots));
const engine = new BotEngine(new RulesModule(new WebAssembly.Module(readFileSync(file))));
const decision = engine.decide(question, () => piece);
let step;
do step = decision.next();
while (!step.done);
console.log(JSON.stringify(step.value));
