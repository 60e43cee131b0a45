// A bot in JavaScript, for any game: it chooses at random, the same for equal seeds. Let it play with
//
//   archipel play atlantis --players Ana,any --bot "any=node examples/bots/any-game.mjs"

import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    console.log(JSON.stringify({ type: "ready" }));
    continue;
  }
  const { legal, seed } = message;
  console.log(JSON.stringify({ action: legal[seed % legal.length].action }));
}
