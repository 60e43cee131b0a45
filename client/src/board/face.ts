import type { Component } from "svelte";
import type { Choice, Happening, Label, Piece, Scene, Seat } from "../generated/messages";
import type { Sentences } from "../lib/words";
import type { Field, Lens } from "./lens";

/** The place of a drawing: its centre and width, in board pixels. */
export interface Spot {
  x: number;
  y: number;
  size: number;
  /** The heading in degrees, clockwise from the right, if it has one. */
  angle?: number;
  /** The outline of a target, as a path around (0, 0); a circle by default. */
  outline?: string;
  /** The maximal radius of that circle. */
  ring?: number;
}

/** The input of a board drawing. */
export interface View {
  scene: Scene;
  /** The scene's gauges; during an animation, their values at that moment. */
  gauges: Record<string, unknown>;
  seats: readonly Seat[];
  me: number | null;
  toMove: number | null;
  sentences: Sentences;
  /** The current choices, and the one tapped once, for a preview. */
  choices?: readonly Choice[];
  selected?: Choice | null;
}

/** A piece that has left the board but whose removal has not been shown yet. */
export interface Ghost {
  piece: Piece;
  spot: Spot;
}

/** An effect on a part of the board, during its animation. */
export interface Effect {
  kind: string;
  cell: string;
}

export interface Layout<More = unknown> {
  width: number;
  height: number;
  /** The zoomable part; everything else stays in place. */
  field: Field;
  cells: ReadonlyMap<string, Spot>;
  /** The spot of a piece that passes a cell, if not its centre. */
  passing?: (cell: Spot, piece: string) => Spot;
  pieces: ReadonlyMap<string, Spot>;
  more: More;
}

/** The animation of an event: the pieces that move, their paths, and the gauges. */
export interface Act {
  /** Pieces with the cells that they pass; the last cell is the destination. */
  moves?: { piece: string; cells: readonly string[] }[];
  /** The highlighted path, if not that of the first piece. */
  trail?: readonly string[];
  gauges?: Record<string, unknown>;
  /** Pieces that disappear, and cells that change. */
  gone?: readonly string[];
  effect?: Effect;
  /** Whether its sentence appears after the animation, because the outcome is open before. */
  tellsAfter?: boolean;
  /** Whether the animation does not wait for readers of the sentence. */
  brief?: boolean;
  /** Its duration at normal speed, in milliseconds. */
  lasts?: number;
  sound?: Cue;
}

export type Cue = "step" | "dice" | "breath" | "take" | "home" | "lost" | "end" | "turn";

export interface PieceProps {
  piece: Piece;
  spot: Spot;
  view: View;
}

export interface BackdropProps {
  layout: Layout<never>;
  view: View;
}

export interface EffectProps {
  effect: Effect;
  layout: Layout<never>;
}

/** A question during another player's turn that can be answered in advance. */
export interface Prompt {
  /** Missing if the only answer is no. */
  yes: Choice | undefined;
  no: Choice;
}

/** One cell of the text board, for screen readers. */
export interface TextLine {
  label: string;
  text: string;
}

/** The appearance of one game: its geometry, its pieces and its special cases. It knows no rules. */
export interface Face {
  /** The layout of the board at a zoom. */
  layout(view: View, width: number, height: number, lens?: Lens): Layout;
  Backdrop: Component<BackdropProps>;
  /** Drawings above the pieces, such as the preview of a tapped choice. */
  Overlay?: Component<BackdropProps>;
  pieces: Record<string, Component<PieceProps>>;
  /** Kinds of pieces that are interchangeable if they differ only in their names: see `lookOf`. */
  interchangeable?: readonly string[];
  /** The drawing order of pieces by kind, bottom first. */
  order: readonly string[];
  act(happening: Happening): Act;
  Effect?: Component<EffectProps>;
  /** Whether an irreversible choice is obvious enough to need no confirmation. */
  isPlain(choice: Choice): boolean;
  /** Whether a tap performs it at once, because another step follows. */
  isDirect?(choice: Choice): boolean;
  /** Whether it always has a button, too. */
  asButton?(choice: Choice): boolean;
  /** Whether it is one of several variants at one place; each tap shows the next. */
  turns?(choice: Choice): boolean;
  /** The picture of a variant, on its button instead of words. */
  Variant?: Component<{ choice: Choice }>;
  /** Whether a piece can be dragged for it. */
  drags?(choice: Choice): boolean;
  /** The label of a choice, if its sentence is not enough. */
  label?(choice: Choice, view: View): string | null;
  /** The words of an action in the text of a whole turn, after its piece or alone, if its label needs the board
   * beside it. */
  inTurn?(label: Label, view: View, alone: boolean): string | null;
  /** What a choice does, if its label does not say it: shown before it is confirmed. */
  explain?(choice: Choice, view: View): string;
  /** The choice with the emphasized button, if not the default. */
  foremost?(choices: readonly Choice[]): Choice | undefined;
  /** The letter of each player, if not as usual (`playerLetters`). */
  letters?(seats: readonly Seat[]): string[];
  /** Names at this table, by "name." and the notation. */
  names?(seats: readonly Seat[]): Sentences;
  /** The prefixes of event keys that end and start a round, if the game has rounds. */
  round?: { ends: string; begins: string };
  prompt?(choices: readonly Choice[]): Prompt | null;
  /** The ids of the rules about a kind of piece or cell, or about a phase. */
  rulesOf: Record<string, readonly string[]>;
  /** A short description of a place on the screen. */
  describe(piece: Piece, view: View): string;
  /** Describes a cell: its name, its kind and its content. */
  describeCell?(cell: string, view: View): string;
  /** The current score of each seat; by default the gauge of that name. */
  points?(view: View): number[];
  textBoard(view: View): TextLine[] | Promise<TextLine[]>;
  /** The seats that ran out, if that ended the game; the sentence of the reason with ".of" names them. */
  ranOut?(view: View): number[];
  /** The parts of each seat's score, in counting order. */
  scoreParts(view: View): number[][];
  /** A comment on each seat's score, if its parts say nothing. */
  scoreNotes?(view: View): string[] | undefined;
}
