// Evaluates a decision and a position with the code of the page.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , loader, module] = process.argv;
const { RulesModule, PairedRollouts, DecisionEvaluation, TO_THE_END } = await import(pathToFileURL(loader).href);
const task = JSON.parse(readFileSync(0, "utf8"));
const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

const rules = await RulesModule.load(readFileSync(module));
const byView = new PairedRollouts(rules, task.seats, task.horizon);
const toTheEnd = new PairedRollouts(rules, task.seats, TO_THE_END);
const seed = BigInt(task.seed);
const [state, view] = [unhex(task.state), unhex(task.view)];
const { advice, actions } = toTheEnd.begin(view, seed);
const position = toTheEnd.evaluate(state, [advice], 0, task.worlds)[0];
const decision = new DecisionEvaluation(0, task.seat, view, task.played, false, seed);
const found = decision.evaluate(byView, task.selection, task.worlds, { power: 1, floor: 0 });
const after = byView.after(state, task.played, task.seat);
console.log(JSON.stringify({ actions, advice, position, found, after: after && Buffer.from(after.state).toString("hex") }));
