// usage: node run_lockstep.mjs LOADER MODULE < TASK
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { runTask } from "./lockstep.mjs";

const [, , loader, file] = process.argv;
const engine = await import(pathToFileURL(loader));
console.log(JSON.stringify(runTask(engine, readFileSync(file), JSON.parse(readFileSync(0, "utf8")))));
