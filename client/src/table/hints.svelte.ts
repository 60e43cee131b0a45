import type { Component } from "svelte";
import type { Target } from "../board/targets";
import { isPlainlyBetter, type Candidate } from "../engine/candidates";
import { engineOf, forgetEngines } from "../engine/engine_address";
import type { PlayedOut } from "../engine/engine";
import type { Found } from "../engine/pool";
import { errorText } from "../lib/problems";
import { Refusal } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";
import { capital } from "../lib/words";
import type { Choice, Seen } from "../generated/messages";
import { t } from "../texts/index.svelte";
import type { TableModel } from "./table_model.svelte";

/** On the board: the best choices and their chances, by action. */
export interface Marks {
  Drawn: Component<{ targets: readonly Target[]; chances: ReadonlyMap<number, string>; best: number; height: number }>;
  chances: ReadonlyMap<number, string>;
  best: number;
}

/** The number of choices shown. */
const SHOWN = 3;
/** The number of simulations of a complete hint. */
const ENOUGH = 60_000;
/** The number of rollouts to estimate goals after an action. */
const PLAYOUTS = 600;

/** A hint for the current decision: the engine's results, on the board and as text. */
export class Hints {
  /** The address of the engine; null if there is none. */
  address = $state.raw<string | null>(null);
  /** The position of the hint, and the results. */
  asked = $state.raw<number | null>(null);
  found = $state.raw<Found | null>(null);
  /** The probability of each goal after the best and the second-best action. */
  #hope = $state.raw<{ name: string; best: number; next: number } | null>(null);
  #seen: Seen | null = null;
  #drawn: Marks["Drawn"] | null = null;
  /** Loads the engine on demand. */
  #engine: typeof import("../engine/local_engine") | null = null;

  constructor(private readonly at: TableModel) {
    $effect(() => {
      void this.at.session.latest; // one that is being built may be there by the next turn
      if (this.address || !this.at.table) return;
      void engineOf(this.at.table.game).then((found) => (this.address = found), () => undefined);
    });
    $effect(() => {
      // The position has changed.
      if (this.asked !== null && (this.asked !== this.at.session.latest?.n || !this.at.myTurn)) this.stop();
    });
    $effect(() => () => {
      this.stop();
      this.#engine?.leaveEngine();
    });
  }

  async ask(): Promise<void> {
    const { session } = this.at;
    const n = session.latest?.n;
    if (n === undefined || !this.address) return;
    this.stop();
    this.asked = n;
    try {
      const [seen, { default: Drawn }, engine] = await Promise.all([
        session.seen("hint"),
        import("../board/Marks.svelte"),
        import("../engine/local_engine"),
      ]);
      if (this.asked !== n) return;
      [this.#seen, this.#drawn, this.#engine] = [seen, Drawn, engine];
      const report = (found: Found) =>
        this.#hear(n, { ...found, candidates: found.candidates.map((candidate) => engine.shown(candidate, seen)) });
      await engine.engineAt(this.address).think(engine.sightOf(seen), ENOUGH, report, (why) => this.#fail(n, why));
    } catch (error) {
      this.#fail(n, error);
    }
  }

  /** Resets everything after a refusal or a failed download. */
  #fail(n: number, why: unknown): void {
    if (this.asked !== n) return;
    this.stop();
    this.at.problem = why instanceof Refusal ? errorText(why) : t().hint.failed;
    if (why instanceof Refusal) return;
    this.#engine?.leaveEngine();
    forgetEngines();
    this.address = null;
  }

  stop(): void {
    if (this.asked !== null && this.address) this.#engine?.engineAt(this.address).stop();
    this.asked = this.found = this.#hope = null;
    this.at.marks = null;
  }

  #hear(n: number, found: Found): void {
    if (this.asked !== n) return;
    this.found = found;
    const best = this.best;
    this.at.marks =
      this.#drawn && best.length > 0
        ? { Drawn: this.#drawn, chances: new Map(best.map(({ action, chance }) => [action, this.percent(chance)])), best: best[0]!.action }
        : null;
    if (found.finished) void this.#askForHopes(n);
  }

  /** Estimates the goals after the best and the second-best action. */
  async #askForHopes(n: number): Promise<void> {
    const [seen, engine] = [this.#seen, this.#engine];
    const [first, second] = this.best;
    const name = seen?.hopes[0];
    if (!seen || !engine || !name || !first || !second || !this.address || !isPlainlyBetter(first, second)) return;
    const share = ({ hopes, playouts }: PlayedOut) => hopes[0]![seen.seat]! / playouts;
    const pool = engine.engineAt(this.address);
    const after = async ({ action }: Candidate) => share(await pool.playOut(engine.sightOf(seen), seen.hopes.length, PLAYOUTS, { action }));
    const best = await after(first);
    const next = await after(second);
    if (this.asked === n && best - next > 0.1) this.#hope = { name, best, next };
  }

  // ---- in words -------------------------------------------------------------------------------------

  percent(chance: number): string {
    return new Intl.NumberFormat(settings.language, { style: "percent", maximumFractionDigits: 0 }).format(chance);
  }

  /** Twice the standard error, in percent. */
  #doubt({ error }: Candidate): string {
    const points = Math.ceil(200 * error);
    return points > 0 ? ` (±\u00a0${new Intl.NumberFormat(settings.language).format(points)})` : "";
  }

  /** The best of the current choices; the best of several equal ones stands for all of them. */
  get best(): Candidate[] {
    const seen = new Set<number>();
    const best: Candidate[] = [];
    for (const candidate of this.found?.candidates ?? []) {
      const action = this.#choiceOf(candidate.action)?.action;
      if (action === undefined || seen.has(action)) continue;
      seen.add(action);
      best.push({ ...candidate, action });
    }
    return best.slice(0, SHOWN);
  }

  #choiceOf(action: number): Choice | undefined {
    return this.at.choosing.choiceFor(action);
  }

  #labelOf({ action }: Candidate): string {
    return this.at.choosing.labelOf(this.#choiceOf(action)!);
  }

  /** The best and the second-best choice. */
  get line(): string {
    const [first, ...others] = this.best;
    if (!first) return "";
    const next = others.map((each) => t().hint.then(this.#labelOf(each), this.percent(each.chance)));
    return [t().hint.best(capital(this.#labelOf(first)), this.percent(first.chance), this.#doubt(first)), ...next].join(" ");
  }

  /** The reason, if the difference is clear. */
  get why(): string {
    const [first, second] = this.best;
    if (!first || !second) return "";
    if (!isPlainlyBetter(first, second)) return this.found?.finished ? t().hint.near : "";
    const { choosing, gameText } = this.at;
    const points = new Intl.NumberFormat(settings.language, { maximumFractionDigits: 0 }).format(100 * (first.chance - second.chance));
    const loses = choosing.forecast(this.#choiceOf(second.action) ?? null);
    const hope = this.#hope;
    return [
      t().hint.clear(points),
      loses && !choosing.forecast(this.#choiceOf(first.action) ?? null) ? t().hint.otherwise(loses) : "",
      hope ? t().hint.hope(capital(gameText.sentences[`chance.${hope.name}`] ?? hope.name), this.percent(hope.best), this.percent(hope.next)) : "",
    ]
      .filter(Boolean)
      .join(" ");
  }
}
