import { untrack } from "svelte";
import type { Prompt } from "../board/face";
import { isPath } from "../board/targets";
import { settings } from "../lib/settings.svelte";
import { capital, nameOf, say, together } from "../lib/words";
import type { Choice } from "../generated/messages";
import { t } from "../texts/index.svelte";
import { isRemembered, lookOf } from "./equal_pieces";
import type { TableModel } from "./table_model.svelte";

/** The maximal number of buttons for choices that can also be tapped on the board. */
const mostButtons = () => (matchMedia("(min-width: 60rem)").matches ? 6 : 3);
/** The delay of automatic answers, constant so that it reveals nothing. */
const ANSWER_AFTER = 3000;

/** The current choices, as texts and buttons; their selection and confirmation. */
export class Choosing {
  selected = $state.raw<Choice | null>(null);
  /** Where the buttons are. */
  list = $state.raw<HTMLElement>();
  /** The remaining actions of a path. */
  #following: number[] = [];
  /** The event before the last move, which may take several actions, and the event after it. */
  #move: { from: number; to: number } | null = null;
  /** Focus the next button, because the pressed one disappears. */
  #pressedButton = false;
  /** The alternatives to the piece that was picked up. */
  #instead = $state.raw<{ n: number; choices: readonly Choice[] } | null>(null);

  constructor(private readonly at: TableModel) {
    $effect(() => this.#startAnew());
    $effect(() => this.#giveFocus());
    $effect(() => {
      // On a small screen, scroll to the choice that needs confirmation.
      if (this.selected) this.list?.querySelector(".warm")?.scrollIntoView({ block: "nearest" });
    });
    $effect(() => {
      const answer = this.standing;
      if (!answer) return;
      const timer = setTimeout(() => void this.play(answer), ANSWER_AFTER);
      return () => clearTimeout(timer);
    });
  }

  get #face() {
    return this.at.gameText.face;
  }

  /** The offered choices by action: choices of interchangeable pieces are one choice with several targets. */
  readonly #representatives: ReadonlyMap<number, Choice> = $derived.by(() => {
    const { choices, position, table } = this.at;
    const pieces = new Map(position?.scene.pieces.map((piece) => [piece.id, piece]));
    const equal = new Map<string, Choice[]>();
    for (const choice of choices) {
      const piece = choice.targets.length === 1 ? pieces.get(choice.targets[0]!) : undefined;
      // A lesson expects a certain piece.
      const unique = !piece || table?.lesson || isRemembered(piece);
      const look = unique ? `${choice.action}` : choice.key.replace(/\d/, "") + lookOf(piece, this.#face);
      equal.set(look, [...(equal.get(look) ?? []), choice]);
    }
    return new Map(
      [...equal.values()].flatMap((same) => {
        const one = same.length > 1 ? { ...same[0]!, targets: same.flatMap(({ targets }) => targets) } : same[0]!;
        return same.map(({ action }) => [action, one] as const);
      }),
    );
  });

  /** The offered choice that stands for an action. */
  readonly choiceFor = (action: number): Choice | undefined => this.#representatives.get(action);

  /** The choices of a single action. */
  readonly #single: readonly Choice[] = $derived.by(() => [...new Set(this.#representatives.values())]);
  /** All choices. Lessons and puzzles go step by step: they explain each action. */
  readonly offered: readonly Choice[] = $derived.by(() => {
    const { position, table } = this.at;
    const paths = this.#single.length > 0 && !table?.lesson ? (position?.scene.paths ?? []) : [];
    return [...this.#single, ...paths];
  });

  /** Choices of a space where a piece can be chosen, too, such as the water under a boat. A tap means the
   * piece; the others have buttons. */
  readonly #under: ReadonlySet<Choice> = $derived.by(() => {
    const cells = new Map(this.at.position?.scene.pieces.map(({ id, cell }) => [id, cell]));
    const taken = new Set(this.offered.flatMap(({ targets }) => cells.get(targets[0] ?? "") ?? []));
    return new Set(this.offered.filter(({ targets }) => targets.length === 1 && taken.has(targets[0]!)));
  });
  /** The choices that can be tapped on the board. */
  readonly tappable: readonly Choice[] = $derived.by(() => this.offered.filter((choice) => !this.#under.has(choice)));

  readonly #onBoard: readonly Choice[] = $derived.by(() => this.#single.filter(({ targets }) => targets.length > 0));
  /** Buttons for several actions with one piece do not name the piece. */
  readonly #shared: boolean = $derived.by(
    () => this.#onBoard.some(
      (choice, i) =>
        !this.#face?.turns?.(choice) && this.#onBoard.findIndex(({ targets }) => targets[0] === choice.targets[0]) < i,
    ),
  );
  readonly buttons: readonly Choice[] = $derived.by(
    () => new Set(this.#onBoard.map(({ targets }) => targets[0])).size <= mostButtons() && !this.#shared
      ? this.offered.filter((choice) => !isPath(choice) || choice === this.selected)
      : this.offered.filter((choice) => choice.targets.length === 0 || choice === this.selected || (this.#hasButton(choice) && !isPath(choice))),
  );
  #hasButton(choice: Choice): boolean {
    return this.#under.has(choice) || (this.#face?.asButton?.(choice) ?? false);
  }

  /** The emphasized button: a choice on the board, else the first. In a lesson, one that it accepts; in a
   * puzzle, none. */
  readonly foremost: Choice | undefined = $derived.by(() => {
    const { choices, table } = this.at;
    if (table?.lesson) return this.buttons.find(({ action }) => table.lesson!.accepted.includes(action));
    return (
      this.#face?.foremost?.(choices) ??
      (this.#onBoard.length === 1 ? this.#onBoard[0] : this.#onBoard.length === 0 ? choices[0] : undefined)
    );
  });
  /** Pieces that the selected choice would lose. */
  readonly danger: string[] = $derived.by(() => [...detail(this.selected, "lost"), ...detail(this.selected, "sunk")]);

  // ---- in words -----------------------------------------------------------------------------------

  readonly labelOf = (choice: Choice): string => {
    const steps = choice.details["steps"];
    return typeof steps === "number" ? t().table.inSteps(this.#label(choice), steps) : this.#label(choice);
  };

  #label(choice: Choice): string {
    const { position, gameText } = this.at;
    const face = this.#face;
    const own = face && position ? face.label?.(choice, this.at.viewOf(position)) : null;
    if (own) return capital(own);
    const label = capital(say(gameText.sentences, choice.key, choice.details));
    const piece = position?.scene.pieces.find(({ id }) => id === choice.targets[0]);
    // A label that names the place needs nothing more.
    if (!piece || !face || !position || "space" in choice.details) return label;
    const about = face.describe(piece, this.at.viewOf(position));
    // Nor does one that names the piece, unless it says nothing else.
    const named = label.includes(nameOf(gameText.sentences, piece.id));
    if (named && !capital(about).startsWith(label)) return label;
    return capital(about).startsWith(label) ? capital(about) : `${label} (${about})`;
  }

  /** The label for the board, with the content of the cell and the consequences. */
  readonly boardLabelOf = (choice: Choice): string => {
    const { position } = this.at;
    const face = this.#face;
    if (!face || !position) return this.labelOf(choice);
    const [target] = choice.targets;
    const cell = position.scene.cells.find(({ id }) => id === target);
    const piece = face.label ? position.scene.pieces.find(({ id }) => id === target) : undefined;
    const view = this.at.viewOf(position);
    const place = cell && face.describeCell ? face.describeCell(cell.id, view) : piece ? face.describe(piece, view) : "";
    return [together(this.labelOf(choice), place), this.forecast(choice)].filter(Boolean).join(". ");
  };

  /** The immediate losses that the server predicts. */
  forecast(choice: Choice | null): string {
    const lost = detail(choice, "lost").map((each) => nameOf(this.at.gameText.sentences, each));
    const warning = choice?.details["warning"];
    return [
      typeof warning === "string" ? say(this.at.gameText.sentences, warning) : "",
      lost.length > 0 ? t().table.wouldBeLost(lost.join(", ")) : "",
      detail(choice, "sunk").length > 0 ? t().table.wouldSink : "",
    ]
      .filter(Boolean)
      .join(" ");
  }

  #explain(choice: Choice): string {
    const { position } = this.at;
    return (position && this.#face?.explain?.(choice, this.at.viewOf(position))) ?? "";
  }

  /** The explanation of the selected choice and the warning before it is confirmed. */
  get warning(): string {
    const { selected } = this;
    if (!selected) return "";
    const warning = this.forecast(selected) || (selected.final && !this.#face?.isPlain(selected) ? t().table.cannotBeUndone : "");
    return [this.#explain(selected), warning].filter(Boolean).join(" ");
  }

  // ---- choosing -----------------------------------------------------------------------------------

  /** Handles a tap on the board. */
  readonly tapped = (choice: Choice): void => {
    if (this.selected === choice || this.#face?.isDirect?.(choice) || !this.#asksToConfirm(choice)) void this.play(choice);
    else this.selected = choice;
  };

  /** Whether a choice needs a confirmation: it loses something, is irreversible and not obvious, has to be
   * explained, or the user wants to confirm every move. */
  #asksToConfirm(choice: Choice): boolean {
    if (settings.confirm && choice.targets.length > 0) return true;
    return (choice.final && !this.#face?.isPlain(choice)) || this.forecast(choice) !== "" || this.#explain(choice) !== "";
  }

  /** Selects a choice by number and moves the focus on. */
  pressedKey(choice: Choice): void {
    this.#pressedButton = true;
    this.pressed(choice);
  }

  /** Handles a pressed button. */
  pressed(choice: Choice): void {
    if (this.#asksToConfirm(choice) && this.at.choices.length > 1 && this.selected !== choice) this.selected = choice;
    else void this.play(choice);
  }

  /** Pieces that can be picked up instead of the last one. */
  readonly others: ReadonlySet<string> = $derived.by(() => {
    const { takesBack, choices, session } = this.at;
    const instead = this.#instead;
    if (!instead || takesBack === null || choices.length === 0 || session.latest?.n !== instead.n + 1) return new Set<string>();
    const offered = new Set(this.offered.flatMap(({ targets }) => targets));
    return new Set(instead.choices.flatMap(({ targets }) => targets).filter((id) => !offered.has(id)));
  });

  /** Puts the piece down and picks up another. */
  readonly takeInstead = async (piece: string): Promise<void> => {
    const wanted = this.#instead?.choices.find(({ targets }) => targets.includes(piece));
    if (!wanted || !this.others.has(piece)) return;
    this.#following = [wanted.action];
    await this.at.takeBack();
  };

  /** The target chosen by key disappears: moves the focus to the next target as soon as there is one. */
  readonly focusNext = (): void => {
    this.#pressedButton = true;
    this.#giveFocus();
  };

  #giveFocus(): void {
    const { choices, session } = this.at;
    const { busy } = session;
    const button = this.list?.querySelector<HTMLElement>("button.choice");
    if (choices.length === 0 || (busy && button) || !this.#pressedButton) return;
    if (document.activeElement && document.activeElement !== document.body) return;
    this.#pressedButton = false;
    (button ?? document.querySelector<SVGElement>('[data-target][tabindex="0"]'))?.focus({ preventScroll: true });
  }

  readonly play = async (choice: Choice): Promise<void> => {
    this.#following = isPath(choice) ? choice.then : [];
    await this.#perform(choice);
  };

  /** The number of actions that one undo takes back: those of the last move. */
  get undoes(): number {
    const n = this.at.session.latest?.n;
    return this.#move && this.#move.to === n ? this.#move.to - this.#move.from : 1;
  }

  async #perform(choice: Choice, goesOn = false): Promise<void> {
    this.#pressedButton ||= this.list?.contains(document.activeElement) ?? false;
    this.selected = null;
    this.at.stage.captions.clear();
    const n = this.at.session.latest?.n ?? 0;
    // A destination belongs to the move of the piece that was just picked up.
    goesOn ||= this.#instead?.n === n - 1;
    this.#move = { from: goesOn && this.#move?.to === n ? this.#move.from : n, to: n + 1 };
    const takes = this.#face?.isDirect?.(choice) && choice.targets.length > 0;
    const same = this.#single.filter((each) => each !== choice && this.#face?.isDirect?.(each) && each.targets.length > 0);
    this.#instead = takes ? { n: this.at.session.latest?.n ?? 0, choices: same } : null;
    await this.at.attempt(() => this.at.session.play(choice.action));
  }

  #startAnew(): void {
    const { choices } = this.at;
    const some = choices.length > 0;
    // Show the first of several variants at once.
    const ways = some && choices.every((choice) => this.#face?.turns?.(choice));
    untrack(() => (this.selected = ways ? choices[0]! : null));
    // Wait for the answer to the last action from here.
    if (some && this.#following.length > 0 && untrack(() => this.at.session.latest?.n !== this.at.session.playedAt)) {
      const next = choices.find(({ action }) => action === this.#following[0]);
      this.#following = next ? this.#following.slice(1) : [];
      if (next) untrack(() => void this.#perform(next, true));
      return;
    }
  }

  // ---- questions during another player's turn -----------------------------------------------------------

  /** Sends the automatic answer. */
  readonly standing: Choice | null = $derived.by(() => {
    const { choices, table } = this.at;
    const prompt: Prompt | null = choices.length > 0 ? (this.#face?.prompt?.(choices) ?? null) : null;
    if (!prompt || table?.hot_seat) return null;
    if (!prompt.yes || settings.answer === "keep") return prompt.no;
    return settings.answer === "use" ? prompt.yes : null;
  });
}

const detail = (choice: Choice | null, name: string): string[] => (choice?.details[name] ?? []) as string[];
