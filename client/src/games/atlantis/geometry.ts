import type { Layout, View } from "../../board/face";
import type { Lens } from "../../board/lens";
import { hexLayout, type Chart } from "../hex/geometry";

export const atlantisLayout = (view: View, width: number, height: number, lens?: Lens): Layout<Chart> =>
  hexLayout(view, width, height, { hands: false, isPerson: (piece) => piece.kind === "person" }, lens);
