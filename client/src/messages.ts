// Made by scripts/generate_messages.py from archipel.serve.messages: do not edit.

export type Language = "en" | "fr";

export type Colour = "white" | "yellow" | "sky" | "vermilion" | "blue" | "black";

export type Phrase = "hello" | "good_luck" | "well_played" | "thanks" | "oops" | "hurry" | "wait" | "lucky" | "again" | "bye";

export interface Clock {
  kind?: "none" | "live" | "days";
  seconds?: number;
  increment?: number;
}

export interface FromMoment {
  table: string;
  n: number;
}

export interface Join {
  name: string;
  colour?: Colour | null;
  seat?: number | null;
  invitation?: string | null;
  seal?: string;
  request?: string;
}

export interface NewTable {
  game: string;
  seats: SeatWish[];
  my_name: string;
  my_colour?: Colour | null;
  my_seat?: number | null;
  options?: Record<string, string | number | boolean | null>;
  clock?: Clock;
  public?: boolean;
  hot_seat?: boolean;
  names?: string[];
  begin?: boolean;
  hints?: boolean;
  seal?: string;
  request?: string;
  lesson?: string;
  what_if?: FromMoment | null;
  position?: string;
}

export interface SeatWish {
  bot?: string | null;
  kept?: boolean;
}

export interface Problem {
  code: string;
  message: string;
  rule?: string | null;
}

export interface Cell {
  id: string;
  kind: string;
  properties: Record<string, unknown>;
}

export interface CellChange {
  gone: string[];
  put: [number, Cell][];
}

export interface Choice {
  action: number;
  text: string;
  key: string;
  details: Record<string, unknown>;
  targets: string[];
  final: boolean;
}

export interface Considered {
  action: number;
  text: string;
  key: string;
  details: Record<string, unknown>;
  chance: number;
  tried: number;
}

export interface Course {
  game: string;
  seats: number;
  size: number;
  moves: CourseMove[];
  result: number[] | null;
  deals: number;
  horizon: number;
  corrections: Record<string, Record<string, number>>;
  budget: Record<string, number>;
  data: string;
}

export interface CourseMove {
  n: number;
  seat: number;
  action: number;
  options: number;
  ends_step: boolean;
}

export interface Happening {
  key: string;
  details: Record<string, unknown>;
}

export interface Label {
  action: number;
  text: string;
  key: string;
  details: Record<string, unknown>;
}

export interface LessonProgress {
  name: string;
  step: number;
  waits: boolean;
  current: boolean;
}

export interface LogEntry {
  n: number;
  seat: number | null;
  kind: string;
  happenings: Happening[];
  at: number;
}

export interface Piece {
  id: string;
  kind: string;
  cell: string;
  seat: number | null;
  properties: Record<string, unknown>;
}

export interface PieceChange {
  gone: string[];
  put: [number, Piece][];
}

export interface Position {
  n: number;
  seat: number | null;
  to_move: number | null;
  question: Happening | null;
  scene: Scene;
  result: Result | null;
  may_take_back: boolean;
  take_back_asked_by: number | null;
  text?: string;
}

export interface PositionChange {
  to_move?: number | null;
  question?: Happening | null;
  scene?: SceneChange;
  result?: Result | null;
  may_take_back?: boolean;
  take_back_asked_by?: number | null;
}

export interface Presence {
  type: "presence";
  seats: Seat[];
  spectators: number;
}

export interface Proposal {
  n: number;
  kind: "close" | "seat" | "hints";
  seat: number | null;
  name: string;
  waits_for: number[];
}

export interface Result {
  ranks: number[];
  scores: number[];
  reason: string;
}

export interface Scene {
  cells: Cell[];
  pieces: Piece[];
  gauges: Record<string, unknown>;
  choices: Choice[];
}

export interface SceneChange {
  cells?: CellChange;
  pieces?: PieceChange;
  gauges?: Record<string, unknown>;
  gauges_gone?: string[];
  choices?: Choice[];
}

export interface Seat {
  kind: "open" | "person" | "bot";
  name: string;
  colour: Colour;
  bot: string | null;
  here: boolean;
  bot_plays: boolean;
  resigned: boolean;
  absent_for: number;
  clock_ms: number | null;
  clock_runs: boolean;
}

export interface Seated {
  table: string;
  seat: number | null;
  token: string;
  invitations?: string[];
  asked?: boolean;
}

export interface Seen {
  n: number;
  seat: number;
  seats: number;
  hopes: string[];
  view: string;
  corrections: Record<string, Record<string, number>>;
}

export interface Table {
  id: string;
  game: string;
  options: Record<string, unknown>;
  stage: "gathering" | "playing" | "over" | "closed";
  seats: Seat[];
  spectators: number;
  clock: Clock;
  commitment: string;
  seals: string[];
  nonces: string[];
  drawing: boolean;
  proposal: Proposal | null;
  secret: string | null;
  rematch: string | null;
  hot_seat: boolean;
  created_at: number;
  to_move: number | null;
  result: Result | null;
  hints: boolean;
  hints_possible: boolean;
  lesson?: LessonProgress | null;
  from_position?: boolean;
  what_if?: WhatIf | null;
}

export interface TableChange {
  options?: Record<string, unknown>;
  stage?: "gathering" | "playing" | "over" | "closed";
  seats?: Seat[];
  spectators?: number;
  commitment?: string;
  seals?: string[];
  nonces?: string[];
  drawing?: boolean;
  proposal?: Proposal | null;
  secret?: string | null;
  rematch?: string | null;
  to_move?: number | null;
  result?: Result | null;
  hints?: boolean;
  hints_possible?: boolean;
  lesson?: LessonProgress | null;
}

export interface TableLine {
  id: string;
  game: string;
  stage: "gathering" | "playing" | "over" | "closed";
  names: string[];
  created_at: number;
  last_at: number;
}

export interface Update {
  type: "update";
  n: number;
  base: number;
  log: LogEntry[];
  log_from: number;
  table?: TableChange;
  position?: Position;
  change?: PositionChange;
  whole?: boolean;
}

export interface Welcome {
  type: "welcome";
  table: Table;
  seat: number | null;
  host: boolean;
  position: Position | null;
  log: LogEntry[];
  log_from: number;
  whole: boolean;
  server_time: number;
  n: number;
}

export interface WhatIf {
  table: string;
  n: number;
}

export interface Why {
  n: number;
  seat: number;
  bot: string;
  action: number;
  legal: number;
  candidates: Considered[];
}

export interface Hello {
  type: "hello";
  token?: string | null;
  after?: number;
  at?: number | null;
  language?: Language;
  hurried?: boolean;
  protocol?: number;
}

export interface Play {
  type: "play";
  id: string;
  n: number;
  action: number;
  seat?: number | null;
}

export interface TakeBack {
  type: "take_back";
  id: string;
  n: number;
  seat?: number | null;
}

export interface AgreeToTakeBack {
  type: "agree_to_take_back";
  id: string;
  n: number;
  agree: boolean;
  seat?: number | null;
}

export interface AnswerProposal {
  type: "answer_proposal";
  id: string;
  n: number;
  agree: boolean;
  seat?: number | null;
}

export interface Say {
  type: "say";
  id: string;
  phrase: Phrase;
  seat?: number | null;
}

export interface Resign {
  type: "resign";
  id: string;
  seat?: number | null;
}

export interface HandOver {
  type: "hand_over";
  id: string;
  seat: number;
}

export interface ComeBack {
  type: "come_back";
  id: string;
  seat?: number | null;
}

export interface Rematch {
  type: "rematch";
  id: string;
  seal?: string;
}

export interface PlayOn {
  type: "play_on";
  id: string;
  n: number;
  seal?: string;
}

export interface SetSeat {
  type: "set_seat";
  id: string;
  seat: number;
  bot?: string | null;
}

export interface SetOptions {
  type: "set_options";
  id: string;
  options: Record<string, string | number | boolean | null>;
}

export interface SealNonce {
  type: "seal_nonce";
  id: string;
  seal: string;
  seat?: number | null;
}

export interface OpenNonce {
  type: "open_nonce";
  id: string;
  nonce: string;
  seat?: number | null;
}

export interface Begin {
  type: "begin";
  id: string;
}

export interface CloseTable {
  type: "close_table";
  id: string;
}

export interface GoOn {
  type: "go_on";
  id: string;
  n: number;
  answer?: number | null;
}

export interface LookAt {
  type: "look_at";
  id: string;
  n: number;
  seat?: number | null;
  revealed?: boolean;
}

export interface ReadLog {
  type: "read_log";
  id: string;
  before: number;
  seat?: number | null;
}

export interface LookThrough {
  type: "look_through";
  id: string;
  seat: number;
}

export interface AskForHints {
  type: "ask_for_hints";
  id: string;
  seat?: number | null;
}

export interface AskView {
  type: "ask_view";
  id: string;
  n: number;
  purpose: "hint" | "odds";
  seat?: number | null;
}

export interface AskWhy {
  type: "ask_why";
  id: string;
  n: number;
}

export interface Ping {
  type: "ping";
}

export interface Done {
  type: "done";
  id: string;
  n: number;
  table?: string | null;
}

export interface Refused {
  type: "refused";
  id: string | null;
  problem: Problem;
}

export interface Looked {
  type: "looked";
  id: string;
  position: Position | null;
}

export interface LogPage {
  type: "log_page";
  id: string;
  log: LogEntry[];
  log_from: number;
}

export interface ViewSeen {
  type: "view_seen";
  id: string;
  seen: Seen;
}

export interface Reason {
  type: "reason";
  id: string;
  why: Why;
}

export interface Pong {
  type: "pong";
  server_time: number;
}

export interface OptionDescription {
  name: string;
  choices: (string | number | boolean | null)[];
  default: string | number | boolean | null;
  rule: string;
}

export interface LessonTitle {
  name: string;
  titles: Record<string, string>;
}

export interface GameDescription {
  name: string;
  titles: Record<string, string>;
  introductions: Record<string, string>;
  fewest_seats: number;
  most_seats: number;
  options: OptionDescription[];
  bots: string[];
  rules_version: number;
  lessons: LessonTitle[];
  puzzles: number;
  engine: string | null;
}

export interface RuleText {
  id: string;
  sources: string[];
  text: string;
}

export interface ChapterText {
  title: string;
  rules: RuleText[];
}

export interface Rules {
  title: string;
  introduction: string;
  chapters: ChapterText[];
  language: string;
}

export interface AnswerText {
  label: string;
  right: boolean;
  reply: string;
}

export interface StepText {
  said: string;
  look: string[];
  answers: AnswerText[];
}

export interface LessonText {
  name: string;
  title: string;
  steps: StepText[];
  remember: string[];
  seats: number;
  options: Record<string, string | number | boolean | null>;
}

export interface Occasion {
  key: string;
  name: string;
  value: string;
}

export interface Remark {
  occasions: Occasion[];
  text: string;
}

export interface Lessons {
  lessons: LessonText[];
  guide: Remark[];
}

export interface SolvingChoice {
  text: string;
  key: string;
  details: Record<string, unknown>;
  targets: string[];
}

export interface Change {
  name: string;
  seat: number;
  best: number;
  next: number;
}

export interface PuzzleSolution {
  name: string;
  seats: number;
  best: SolvingChoice;
  next: SolvingChoice;
  then: SolvingChoice[];
  same: string[];
  chance: number;
  next_chance: number;
  own: Change | null;
  rival: Change | null;
  hope: Change | null;
  risk: Change | null;
}

export interface Puzzles {
  puzzles: PuzzleSolution[];
}

export interface Health {
  status: "ok" | "stopping";
  version: string;
}

export type FromBrowser =
  | Hello
  | Play
  | TakeBack
  | AgreeToTakeBack
  | AnswerProposal
  | Say
  | Resign
  | HandOver
  | ComeBack
  | Rematch
  | PlayOn
  | SetSeat
  | SetOptions
  | SealNonce
  | OpenNonce
  | Begin
  | CloseTable
  | GoOn
  | LookAt
  | ReadLog
  | LookThrough
  | AskForHints
  | AskView
  | AskWhy
  | Ping;

export type ToBrowser =
  | Welcome
  | Update
  | Presence
  | Done
  | Refused
  | Looked
  | LogPage
  | ViewSeen
  | Reason
  | Pong;
