/** The picture of a rule: spaces, pieces and arrows by column and row; halves are allowed. */
export interface Sketch {
  spaces: readonly [kind: string, column: number, row: number][];
  things: readonly [what: string, column: number, row: number][];
  arrows?: readonly [number, number, number, number][];
  /** Whether people are drawn small, as in a boat. */
  small?: boolean;
}
