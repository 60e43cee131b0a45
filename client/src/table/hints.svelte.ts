import type { Component } from "svelte";
import type { Layout } from "../board/face";
import type { Target } from "../board/targets";
import { followEngine, type EngineState } from "../engine/engine_address";
import { isPlainlyBetter, type RankedTurn } from "../engine/ranking";
import type { Found } from "../engine/pool";
import { errorText } from "../lib/problems";
import { Refusal } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";
import { partsAt, turnText } from "../lib/turn_text";
import type { Label, Seen } from "../generated/messages";
import { t } from "../texts/index.svelte";
import { lookOf } from "./equal_pieces";
import type { TableModel } from "./table_model.svelte";

/** On the board: arrows of the best turn, and the chances of the best first actions. */
export interface Marks {
  Drawn: Component<{ targets: readonly Target[]; layout: Layout; chances: ReadonlyMap<number, string>; best: number; paths: readonly string[][]; height: number }>;
  chances: ReadonlyMap<number, string>;
  best: number;
  /** Each piece of the best turn and the places that it goes to, by id. */
  paths: readonly string[][];
}

/** A turn with its labels. */
export interface HintedTurn extends RankedTurn {
  labels: Label[];
}

/** The number of turns shown. */
const SHOWN = 3;
/** The number of turns whose labels are asked for at once: some are equal to others. */
const LABELLED = 4;
/** The number of simulations of a complete hint. */
const ENOUGH = 60_000;
/** The numbers of games to compare the final scores of two turns: more if the first are not enough. */
const GAMES = [160, 640, 1920];

/** A hint for the current decision: whole turns with their chances, on the board and as text. */
export class Hints {
  /** The engine, which the server may still be building. */
  engine = $state.raw<EngineState>({ address: null, building: null });
  /** The number of times that the engine could not be loaded. */
  #failures = $state.raw(0);
  /** The position of the hint, and the results. */
  asked = $state.raw<number | null>(null);
  found = $state.raw<Found | null>(null);
  /** The best turns, with labels. */
  turns = $state.raw<HintedTurn[]>([]);
  /** Why the best turn is better than the next. */
  #because = $state.raw("");
  #seen: Seen | null = null;
  #drawn: Marks["Drawn"] | null = null;
  /** Labels of turns, by their actions. */
  readonly #labels = new Map<string, Label[]>();
  /** Loads the engine on demand. */
  #engine: typeof import("../engine/local_engine") | null = null;

  constructor(private readonly at: TableModel) {
    $effect(() => {
      const game = this.#game;
      if (game) return followEngine(game, (engine) => (this.engine = engine), this.#failures > 0);
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

  readonly #game: string | undefined = $derived.by(() => this.at.table?.game);

  /** The address of the engine; null if there is none. */
  get address(): string | null {
    return this.engine.address;
  }

  async ask(): Promise<void> {
    const { session } = this.at;
    const n = session.latest?.n;
    if (n === undefined || !this.address) return;
    this.stop();
    this.asked = n;
    this.at.stage.captions.clear(); // they would cover the hint
    try {
      const [seen, { default: Drawn }, engine] = await Promise.all([
        session.seen("hint"),
        import("../board/Marks.svelte"),
        import("../engine/local_engine"),
      ]);
      if (this.asked !== n) return;
      [this.#seen, this.#drawn, this.#engine] = [seen, Drawn, engine];
      const report = (found: Found) =>
        void this.#hear(n, { ...found, turns: found.turns.map((turn) => engine.shown(turn, seen)) }).catch((why: unknown) => this.#fail(n, why));
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
    this.engine = { address: null, building: null };
    this.#failures += 1;
  }

  stop(): void {
    if (this.asked !== null && this.address) this.#engine?.engineAt(this.address).stop();
    this.asked = this.found = null;
    this.turns = [];
    this.#because = "";
    this.#labels.clear();
    this.at.marks = null;
  }

  async #hear(n: number, found: Found): Promise<void> {
    if (this.asked !== n) return;
    const best = found.turns.slice(0, LABELLED);
    const missing = best.filter(({ actions }) => !this.#labels.has(actions.join()));
    if (missing.length > 0) {
      const told = await this.at.session.lines(n, missing.map(({ actions }) => actions));
      missing.forEach(({ actions }, place) => this.#labels.set(actions.join(), told[place] ?? []));
    }
    if (this.asked !== n || found.simulations < (this.found?.simulations ?? 0)) return;
    this.found = found;
    this.turns = this.#distinct(best.map((turn) => ({ ...turn, labels: this.#labels.get(turn.actions.join())! })));
    const [first] = this.turns;
    const chances = new Map(this.turns.toReversed().map(({ actions, chance }) => [this.#offered(actions[0]!), this.percent(chance)]));
    this.at.marks =
      this.#drawn && first
        ? { Drawn: this.#drawn, chances, best: this.#offered(first.actions[0]!), paths: partsAt(this.at, first.labels).map(({ path }) => path) }
        : null;
    if (found.finished) await this.#findReason(n);
  }

  #offered(action: number): number {
    return this.at.choosing.choiceFor(action)?.action ?? action;
  }

  /** Leaves out turns that differ only in which of several equal pieces moves. */
  #distinct(turns: readonly HintedTurn[]): HintedTurn[] {
    const { position, gameText } = this.at;
    const pieces = new Map(position?.scene.pieces.map((piece) => [piece.id, piece]));
    const look = (id: string) => {
      const piece = pieces.get(id);
      return piece ? lookOf(piece, gameText.face) : id;
    };
    const known = new Set<string>();
    return turns
      .filter(({ labels }) => {
        const key = JSON.stringify(labels.map(({ key, targets }) => [key, targets.map(look)]));
        return labels.length > 0 && known.size < known.add(key).size;
      })
      .slice(0, SHOWN);
  }

  /** Compares the final scores after the best turn, and after the next best and the weakest of the turns that are
   * plainly worse, in games with equal chance. */
  async #findReason(n: number): Promise<void> {
    const [seen, engine] = [this.#seen, this.#engine];
    const [first, second] = this.turns;
    const plainlyWorse = first ? (this.found?.turns ?? []).filter((turn) => isPlainlyBetter(first, turn)) : [];
    if (!seen || !engine || !this.address || !first) return;
    const pool = engine.engineAt(this.address);
    const sight = engine.sightOf(seen);
    const own = (scores: number[]) => scores[seen.seat]!;
    const rival = (scores: number[]) => Math.max(...scores.filter((_, seat) => seat !== seen.seat));
    const reasons = [[own, 1, t().hint.ownScore], [rival, -1, t().hint.rivalScore], [(scores: number[]) => own(scores) - rival(scores), 1, t().hint.lead]] as const;
    for (const games of GAMES) {
      const best = plainlyWorse.length > 0 ? await pool.score(sight, first.actions, games, 1n) : [];
      for (const worse of new Set([plainlyWorse[0], plainlyWorse.at(-1)])) {
        const other = worse ? await pool.score(sight, worse.actions, games, 1n) : [];
        if (!worse || this.asked !== n) return;
        const after = worse.actions.join() === second?.actions.join() ? t().hint.afterNext : t().hint.afterWeaker;
        for (const [score, sign, say] of reasons) {
          const [ones, others] = [best.map(score), other.map(score)];
          if (!isMore(ones.map((each, game) => sign * (each - others[game]!)))) continue;
          this.#because = say(this.#number(mean(ones)), this.#number(mean(others)), after);
          return;
        }
      }
    }
  }

  // ---- in words -------------------------------------------------------------------------------------

  percent(chance: number): string {
    return new Intl.NumberFormat(settings.language, { style: "percent", maximumFractionDigits: 0 }).format(chance);
  }

  #number(value: number): string {
    return new Intl.NumberFormat(settings.language, { maximumFractionDigits: 1, signDisplay: "negative" }).format(value);
  }

  textOf({ labels }: HintedTurn): string {
    return turnText(this.at, labels);
  }

  /** The best turn, what it wins, and why. */
  get line(): string {
    const [first, second] = this.turns;
    if (!first) return "";
    const points = Math.max(1, Math.ceil(200 * first.error));
    const doubt = t().hint.doubt(this.#number(points), points === 1);
    const turn = t().hint.best(this.textOf(first), this.percent(first.chance), doubt, this.#because);
    if (!second) return turn;
    const near = this.found?.finished && !isPlainlyBetter(first, second);
    return near ? `${turn} ${t().hint.near}` : turn;
  }

  /** The next best turns. */
  get others(): { text: string; chance: string }[] {
    return this.turns.slice(1).map((turn) => ({ text: this.textOf(turn), chance: this.percent(turn.chance) }));
  }
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** Whether differences are above 0 by more than chance, and large enough to show. */
function isMore(differences: readonly number[]): boolean {
  const middle = mean(differences);
  const spread = mean(differences.map((each) => (each - middle) ** 2));
  return middle >= 0.1 && middle > 2 * Math.sqrt(spread / (differences.length - 1));
}
