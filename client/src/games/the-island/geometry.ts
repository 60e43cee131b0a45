import type { Layout, Spot, View } from "../../board/face";
import type { Lens } from "../../board/lens";
import type { Piece } from "../../generated/messages";
import { hexLayout, seatLines, type Chart } from "../hex/geometry";

/** The seat whose hand is open: the viewer's or the device holder's. */
const handOf = (view: View): number | null => {
  const open = view.scene.pieces.find((piece) => piece.kind === "tile" && piece.properties["secret"] === true);
  return view.me ?? open?.seat ?? null;
};

export function islandLayout(view: View, width: number, height: number, lens?: Lens): Layout<Chart> {
  const layout = hexLayout(view, width, height, { hands: true, isPerson: (piece) => piece.kind === "explorer" }, lens);
  const pieces = new Map(layout.pieces);
  const { seats, hand, beside, tight } = layout.more;
  const own = handOf(view);
  view.seats.forEach((_, seat) => {
    const tiles = view.scene.pieces.filter((piece) => piece.kind === "tile" && piece.seat === seat);
    const box = seats[seat]!;
    if (seat === own) inRow(tiles, hand.left + (beside ? 8 : 74), hand.top + hand.height / 2 + (beside ? 8 : 0), hand.width - (beside ? 14 : 80), beside && !tight ? 50 : 41, pieces, 5);
    else {
      const from = beside && !tight ? 104 : box.width < 110 ? 68 : 79;
      inRow(tiles, box.left + from, box.top + seatLines(layout.more)[1], box.width - from - 3, 17, pieces);
    }
  });
  return { ...layout, pieces };
}

/** Side by side, overlapping if there is no room. */
function inRow(tiles: Piece[], left: number, y: number, width: number, size: number, spots: Map<string, Spot>, apart = 1): void {
  const step = Math.min(size + apart, Math.max((width - size) / Math.max(tiles.length - 1, 1), 1));
  tiles.forEach((tile, i) => spots.set(tile.id, { x: left + size / 2 + i * step, y, size, ring: size / 2 + 2 }));
}
