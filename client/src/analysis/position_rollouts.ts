/** Evaluates positions by rollouts to the end with the policy in every seat, as `PositionRollouts` in Python. */
import { Engine } from "../engine/engine";
import { batchSize } from "../engine/paired_rollouts";
import type { RulesModule } from "../engine/rules_module";
import { BATCHES, type BatchSums } from "../generated/arithmetic";

export class PositionRollouts {
  readonly #engine: Engine;

  constructor(
    rules: RulesModule,
    private readonly seats: number,
  ) {
    this.#engine = new Engine(rules);
  }

  /** The seat to move starts with `opening`, if given. */
  evaluate(position: Uint8Array, seed: bigint, worlds: number, opening: number | null): BatchSums {
    const size = batchSize(worlds);
    const shares = Array.from({ length: BATCHES }, (_, batch) =>
      this.#engine.playOut(position, this.seats, 0, seed, batch * size, size, opening).wins,
    );
    return { worlds: size, shares };
  }
}
