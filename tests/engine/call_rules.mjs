// Makes a list of calls in a module of rules and prints the results.
// usage: node call_rules.mjs LOADER MODULE < TASK
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , loader, file] = process.argv;
const { RulesModule } = await import(pathToFileURL(loader));
const task = JSON.parse(readFileSync(0, "utf8"));
const rules = await RulesModule.load(readFileSync(file));

// Objects in memory, by name: records or lists with their initial bytes.
const things = {};
for (const [name, { size, shape, bytes }] of Object.entries(task.things)) {
  things[name] = { list: rules.list(size, ...shape), length: shape.reduce((n, each) => n * each, size) };
  rules.bytes.set(Buffer.from(bytes ?? "", "hex"), things[name].list.at);
}
const given = (value) => {
  if (typeof value === "string") return value.startsWith("*") ? things[value.slice(1)].list.at : things[value].list;
  return typeof value === "object" ? BigInt(value.word) : value;
};
const results = task.calls.map(([entry, ...values]) => {
  const result = rules.call(entry, ...values.map(given));
  return typeof result === "bigint" ? result.toString() : result;
});
const left = Object.entries(things).map(([name, { list, length }]) => [
  name,
  Buffer.from(rules.bytes.subarray(list.at, list.at + length)).toString("hex"),
]);
console.log(JSON.stringify({ results, things: Object.fromEntries(left) }));
