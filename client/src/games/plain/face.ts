import type { Component } from "svelte";
import type { Face, PieceProps } from "../../board/face";
import { say } from "../../lib/words";
import Backdrop from "./Backdrop.svelte";
import { plainLayout } from "./geometry";
import { describe, describeCell, textBoard } from "./descriptions";
import Token from "./Token.svelte";

const points = (gauges: Record<string, unknown>): number[] => (gauges["points"] as number[] | undefined) ?? [];

/** A game from another package: its scene as squares. */
export const face: Face = {
  layout: plainLayout,
  Backdrop,
  pieces: new Proxy<Record<string, Component<PieceProps>>>({}, { get: () => Token }),
  order: [],
  act: () => ({ lasts: 350 }),
  isPlain: () => true,
  label: ({ key, details }, { sentences }) => say(sentences, key, details),
  rulesOf: {},
  describe,
  describeCell,
  textBoard,
  scoreParts: (view) => view.seats.map((_, seat) => [points(view.scene.gauges)[seat] ?? 0]),
};
