// Evaluates a turn and a position with the code of the page.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , loader, module] = process.argv;
const { RulesModule, PairedRollouts, PositionRollouts, TurnEvaluation, Turns } = await import(pathToFileURL(loader).href);
const task = JSON.parse(readFileSync(0, "utf8"));
const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

const rules = await RulesModule.load(readFileSync(module));
const turns = new Turns(rules);
const byView = new PairedRollouts(rules, task.seats, task.horizon);
const toTheEnd = new PositionRollouts(rules, task.seats);
const seed = BigInt(task.seed);
const [known, view] = [unhex(task.known), unhex(task.view)];
const turn = new TurnEvaluation(task.span, [view], [task.played], [task.options], seed);
console.log(
  JSON.stringify({
    free: toTheEnd.evaluate(known, seed, task.worlds, null),
    chosen: toTheEnd.evaluate(known, seed, task.worlds, task.played),
    found: turn.evaluate(turns, byView, task.selection, task.worlds, task.correction),
    following: turns.follow(view, task.span.seat, task.played).view,
  }),
);
