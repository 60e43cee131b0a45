/**
 * Rules in the browser: the WebAssembly module of a game's program, and its memory. The module describes
 * its own functions (see `rules/kit/wasm/build.py`): they take numbers, records by address, and lists by
 * address and shape, and return results through memory.
 */

/** A number, "truth" or "nothing"; a record with its size; a list with its dimensions and the size of an
 * item. */
type Kind = "whole" | "word" | "fraction" | "truth" | "nothing" | number | [dimensions: number, size: number];

interface Note {
  /** The end of the module's static data. */
  data: number;
  entries: Record<string, { arguments: Kind[]; result: Kind }>;
}

/** A list in the memory of a module. */
export interface List {
  at: number;
  shape: number[];
}

export type Given = bigint | number | boolean | List;

const NOTE = "archipel";
const STACK = 1 << 18;
const PAGE = 1 << 16;
/** The largest alignment of any field. */
const ALIGNED = 16;

export class RulesModule {
  readonly #note: Note;
  readonly #memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;
  readonly #result: number;
  #free: number;

  /** Throws if the bytes are not such a module. */
  static async load(bytes: BufferSource): Promise<RulesModule> {
    return new RulesModule(await WebAssembly.compile(bytes));
  }

  constructor(module: WebAssembly.Module) {
    const [note] = WebAssembly.Module.customSections(module, NOTE);
    if (!note) throw new Error("a module without a note on its calls");
    this.#note = JSON.parse(new TextDecoder().decode(note)) as Note;
    // Static data, then the stack, which grows downwards, then allocations.
    const stack = rounded(this.#note.data + STACK);
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(stack / PAGE) });
    this.#free = stack;
    this.#exports = new WebAssembly.Instance(module, {
      env: {
        __linear_memory: this.#memory,
        __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, stack),
        __indirect_function_table: new WebAssembly.Table({ initial: 0, element: "anyfunc" }),
      },
    }).exports;
    this.#result = this.room(ALIGNED);
  }

  /** Allocates zeroed bytes, which are never freed. */
  room(bytes: number): number {
    const at = this.#free;
    this.#free = rounded(at + bytes);
    const missing = this.#free - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    return at;
  }

  /** Allocates a list of items of that size. */
  list(size: number, ...shape: number[]): List {
    return { at: this.room(shape.reduce((most, length) => most * length, size)), shape };
  }

  /** The current memory buffer; `room` may replace it. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#memory.buffer);
  }

  get view(): DataView {
    return new DataView(this.#memory.buffer);
  }

  /** The size in bytes of an argument's record or list items. */
  sizeOf(entry: string, argument: number): number {
    const kind = this.#note.entries[entry]?.arguments[argument];
    const size = Array.isArray(kind) ? kind[1] : kind;
    if (typeof size !== "number") throw new Error(`${entry} has no argument ${argument} in memory`);
    return size;
  }

  /** Calls a function. Records and lists are passed by address; integers are returned as bigint. */
  call(entry: string, ...given: Given[]): bigint | number | boolean | null {
    const how = this.#note.entries[entry];
    const run = this.#exports[entry] as ((...values: (bigint | number)[]) => number) | undefined;
    if (!how || !run) throw new Error(`no rule is called ${entry}`);
    if (given.length !== how.arguments.length)
      throw new Error(`${entry} takes ${how.arguments.length} arguments, not ${given.length}`);
    const values = how.arguments.flatMap((kind, number) => flattened(kind, given[number]!));
    // The addresses of result and exception, then the arguments.
    if (run(this.#result, this.#result + 8, ...values) !== 0) throw new Error(`${entry} failed`);
    const { view } = this;
    switch (how.result) {
      case "whole":
        return view.getBigInt64(this.#result, true);
      case "word":
        return view.getBigUint64(this.#result, true);
      case "fraction":
        return view.getFloat64(this.#result, true);
      case "truth":
        return view.getUint8(this.#result) !== 0;
      default:
        return null;
    }
  }
}

const rounded = (address: number): number => Math.ceil(address / ALIGNED) * ALIGNED;

/** Converts an argument for the module. */
function flattened(kind: Kind, given: Given): (bigint | number)[] {
  if (Array.isArray(kind)) {
    const [dimensions, size] = kind;
    const { at, shape } = given as List;
    if (shape?.length !== dimensions) throw new Error(`a list of ${dimensions} dimensions is wanted`);
    const length = shape.reduce((most, each) => most * each, 1);
    const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((most, each) => most * each, size));
    return [0, 0, BigInt(length), BigInt(size), at, ...shape.map(BigInt), ...strides.map(BigInt)];
  }
  if (kind === "whole" || kind === "word") return [BigInt.asIntN(64, BigInt(given as bigint | number))];
  return [Number(given)];
}
