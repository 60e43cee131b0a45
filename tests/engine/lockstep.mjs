// Runs a task of games, searches and rollouts in a game's WebAssembly module. The tests compare the results with those of
// plain Python.

const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let word = byte;
  for (let bit = 0; bit < 8; bit++) word = word & 1 ? 0xedb88320 ^ (word >>> 1) : word >>> 1;
  return word;
});

function crc32(bytes, before) {
  let word = ~before;
  for (const byte of bytes) word = TABLE[(word ^ byte) & 0xff] ^ (word >>> 8);
  return ~word >>> 0;
}

/** Plays a game by the rules alone; returns a checksum after each decision. */
function playGame(rules, room, { start, key, actions, seats, every, dealing }) {
  const { size, state, seen, legal, chance, dealt } = room;
  const stream = (at, word) => {
    rules.view.setBigUint64(at, BigInt(word), true);
    rules.view.setBigUint64(at + 8, 0n, true);
  };
  const bytesAt = (at) => rules.bytes.subarray(at, at + size);
  rules.bytes.set(unhex(start), state);
  stream(chance, key);
  const sums = [];
  let sum = 0;
  for (let number = 0; ; number++) {
    sum = crc32(bytesAt(state), sum);
    const mover = Number(rules.call("to_move", state));
    if (number % every === 0) {
      rules.call("view", state, number % seats, seen);
      sum = crc32(bytesAt(seen), sum);
      stream(dealt, BigInt(dealing) + BigInt(number));
      rules.call("deal_unseen", seen, dealt);
      sum = crc32(bytesAt(seen), sum);
    }
    if (mover < 0 || number >= actions.length) break;
    const count = Number(rules.call("legal", state, legal));
    sum = crc32(rules.bytes.subarray(legal.at, legal.at + 8 * count), sum);
    sums.push(sum);
    rules.call("apply", state, actions[number], chance);
  }
  sums.push(sum);
  const of = (entry) => Array.from({ length: seats }, (_, seat) => Number(rules.call(entry, state, seat)));
  return { sums, scores: of("score"), ranks: of("rank") };
}

/** Searches in slices of a given size, which must not change the result. */
function search(engine, { view, seats, simulations, seed, piece }) {
  engine.begin(unhex(view), seats, simulations, BigInt(seed));
  let made;
  do made = engine.explore(piece);
  while (made === piece);
  return engine.found;
}

export function runTask({ RulesModule, Engine }, bytes, task) {
  const rules = new RulesModule(new WebAssembly.Module(bytes));
  const engine = new Engine(rules);
  const size = rules.sizeOf("legal", 0);
  const room = {
    size,
    state: rules.room(size),
    seen: rules.room(size),
    legal: rules.list(8, 512),
    chance: rules.room(16),
    dealt: rules.room(16),
  };
  return {
    games: task.games.map((game) => playGame(rules, room, game)),
    searches: task.searches.map((each) => search(engine, each)),
    playouts: task.playouts.map(({ view, seats, goals, seed, first, playouts, action }) =>
      engine.playOut(unhex(view), seats, goals, BigInt(seed), first, playouts, action),
    ),
  };
}
