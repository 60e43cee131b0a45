import type { Component } from "svelte";
import type { Choice, Colour, Happening, Piece, Scene, Seat } from "../messages";
import type { Sentences } from "../lib/words";
import type { Field, Lens } from "./lens";

/** Where something is drawn: its middle and its width, in pixels of the board. */
export interface Spot {
  x: number;
  y: number;
  size: number;
  /** The direction ahead, in degrees clockwise from the right, where there is one. */
  angle?: number;
  /** What is drawn around it where it can be tapped, if not a circle: a path around (0, 0). */
  outline?: string;
  /** The radius of that circle, where it should not be larger. */
  ring?: number;
}

/** Everything a board is drawn from. */
export interface View {
  scene: Scene;
  /** The scene's gauges; while something is shown happening, as they stand at that moment. */
  gauges: Record<string, unknown>;
  seats: readonly Seat[];
  me: number | null;
  toMove: number | null;
  sentences: Sentences;
  /** What may be chosen at this moment, and which of it was tapped once: for a preview. */
  choices?: readonly Choice[];
  selected?: Choice | null;
}

/** Something that is gone from the board, but not yet in the story. */
export interface Ghost {
  piece: Piece;
  spot: Spot;
}

/** Something that happens to a part of the board, while it happens. */
export interface Effect {
  kind: string;
  cell: string;
}

export interface Layout<More = unknown> {
  width: number;
  height: number;
  /** What of it can be looked at closer; all else stays where it is. */
  field: Field;
  cells: ReadonlyMap<string, Spot>;
  /** Where a piece that passes a cell is seen, if not in its middle. */
  passing?: (cell: Spot, piece: string) => Spot;
  pieces: ReadonlyMap<string, Spot>;
  more: More;
}

/** What a happening looks like: which pieces move along which cells, what the gauges say then. */
export interface Act {
  /** Pieces and the cells they pass, the last one being where they are after it. */
  moves?: { piece: string; cells: readonly string[] }[];
  /** The cells of the way, where not those of the first piece that moves. */
  trail?: readonly string[];
  gauges?: Record<string, unknown>;
  /** Pieces that go with it, and cells that change. */
  gone?: readonly string[];
  effect?: Effect;
  /** Whether it is told when it is over: before, it is open how it will end. */
  tellsAfter?: boolean;
  /** Whether it says too little to wait for. */
  brief?: boolean;
  /** How long it lasts at normal speed, in milliseconds. */
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

/** A question on somebody else's turn, to which an answer can be given beforehand. */
export interface Prompt {
  /** Missing where the only answer is no. */
  yes: Choice | undefined;
  no: Choice;
}

/** One cell of the text board: what a screen reader says of it. */
export interface TextLine {
  label: string;
  text: string;
}

/** How one game looks: a geometry, a few pieces, and what is peculiar to it. It knows no rules. */
export interface Face {
  /** Where everything is, with the field of the board looked at through a lens. */
  layout(view: View, width: number, height: number, lens?: Lens): Layout;
  Backdrop: Component<BackdropProps>;
  /** What is drawn above the pieces, such as a preview of what was tapped. */
  Overlay?: Component<BackdropProps>;
  pieces: Record<string, Component<PieceProps>>;
  /** Pieces of kinds named later lie above those named earlier. */
  order: readonly string[];
  act(happening: Happening): Act;
  Effect?: Component<EffectProps>;
  /** Whether a choice that cannot be taken back is plain enough to need no second tap. */
  isPlain(choice: Choice): boolean;
  /** Whether a tap on the board does it at once, because a further step follows. */
  isDirect?(choice: Choice): boolean;
  /** Whether it has a button as well, however many can be tapped on the board. */
  asButton?(choice: Choice): boolean;
  /** Whether it is one of several ways to do a thing in one place: each tap there shows the next. */
  turns?(choice: Choice): boolean;
  /** Whether a piece may be dragged for it: moving takes the piece, letting go lays it. */
  drags?(choice: Choice): boolean;
  /** Further things to tap, each for several actions in a row (`details.actions`). */
  combined?(view: View): Choice[];
  /** A choice in words of the game's own, where its sentence and its piece do not do. */
  label?(choice: Choice, view: View): string | null;
  /** The choice whose button stands out, where it is not the first or the one on the board. */
  foremost?(choices: readonly Choice[]): Choice | undefined;
  /** What the pieces of each colour bear, where it is not the first letter of a player's name. */
  letters?: Record<Colour, string>;
  /** What things are called at this table, by "name." and what notation calls them. */
  names?(seats: readonly Seat[]): Sentences;
  /** How the keys of happenings begin with which a round ends and the next one begins, if it has any. */
  round?: { ends: string; begins: string };
  prompt?(choices: readonly Choice[]): Prompt | null;
  /** The rules about a kind of piece or cell, and those about a phase, by id. */
  rulesOf: Record<string, readonly string[]>;
  /** Where on the screen, in a few words, for tapping on a piece or reading it out. */
  describe(piece: Piece, view: View): string;
  /** A cell by its id: its name, what it is, and what is on it. */
  describeCell?(cell: string, view: View): string;
  /** What each seat has to show for itself so far; the gauge of that name if left out. */
  points?(view: View): number[];
  textBoard(view: View): TextLine[];
  /** The seats that had nothing left to play with, where a game ends by that: its reason, with ".of",
   * names them. */
  ranOut?(view: View): number[];
  /** What each seat's score is made of, in the order to count it out. */
  scoreParts(view: View): number[][];
  /** What to say of each seat's score, where its parts tell nothing. */
  scoreNotes?(view: View): string[] | undefined;
}
