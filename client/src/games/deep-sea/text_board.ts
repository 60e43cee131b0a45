import type { TextLine, View } from "../../board/face";
import { capital, say } from "../../lib/words";
import { describe } from "./face";

/** The text board: air and round, the line space by space, then each diver. */
export function textBoard(view: View): TextLine[] {
  const text = (key: string, details: Record<string, unknown> = {}) => say(view.sentences, key, details);
  const lines: TextLine[] = [
    { label: text("board.air"), text: `${String(view.gauges["air"])} / ${String(view.gauges["full_air"])}` },
  ];
  for (const [number, seat] of view.seats.entries()) {
    const piece = view.scene.pieces.find((found) => found.id === `diver-${number + 1}`);
    if (!piece) continue;
    const held = view.scene.pieces.filter((found) => found.cell === `hand${number + 1}`);
    const points = (view.gauges["points"] as number[])[number] ?? 0;
    const parts = [
      describe(piece, view).slice(seat.name.length + 2),
      ...(held.length > 0 ? [text("board.holds", { units: held.map((unit) => describe(unit, view)).join(", ") })] : []),
      text(points > 1 ? "board.points.many" : points === 1 ? "board.points.one" : "board.points.none", { points }),
      ...(number === view.toMove ? [text("board.turn")] : []),
    ];
    lines.push({ label: seat.name, text: parts.join(", ") });
  }
  for (const place of view.scene.cells.filter((found) => found.kind === "space")) {
    const there = view.scene.pieces.filter((found) => found.cell === place.id);
    const words = there.map((piece) => (piece.kind === "diver" ? (view.seats[piece.seat!]?.name ?? "") : describe(piece, view)));
    lines.push({ label: place.id.slice(1), text: capital(words.join(", ")) });
  }
  return lines;
}
