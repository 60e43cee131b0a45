import { describe, expect, it } from "vitest";
import { COLOURS } from "../src/look/pieces";
import { colours, contrast, type Theme } from "./colours";

/** All backgrounds of pieces. */
const GROUNDS = [
  "paper", "paper-raised", "paper-sunk", "sea-1", "sea-2", "sea-3", "sea-4",
  "hull", "hull-shade", "window", "disc", "sand", "chip-1", "chip-2", "chip-3", "chip-4",
  "jungle", "lake", "rock", "clearing", "lava", "crust", "volcano",
  "island-sea", "island-deep", "island-lake", "wave", "atlantis-sea", "atlantis-deep", "coral",
  "beach", "beach-shade", "forest", "forest-shade", "mountain", "mountain-shade", "plain", "hill",
  "boat-brown", "boat-green", "boat-orange", "boat-turquoise", "boat-place",
];

/** Text colours and their backgrounds. */
const TEXTS: [string, string][] = [
  ["ink", "paper"], ["ink", "paper-raised"], ["ink", "paper-sunk"], ["ink", "sea-1"], ["ink", "sea-2"],
  ["ink-soft", "paper"], ["ink-soft", "paper-raised"], ["ink-soft", "paper-sunk"],
  ["action", "paper"], ["action", "paper-raised"], ["on-action", "action"], ["on-warm", "warm"],
  ["warm", "paper"], ["warm", "paper-raised"], ["warm", "sea-1"],
  ["on-chip-1", "chip-1"], ["on-chip-2", "chip-2"], ["on-chip-3", "chip-3"], ["on-chip-4", "chip-4"],
];

describe.each<Theme>(["light", "dark"])("in the %s theme", (theme) => {
  const all = colours(theme);
  const colour = (name: string): string => {
    const found = all.get(name);
    if (!found) throw new Error(`there is no colour ${name}`);
    return found;
  };

  it.each(COLOURS)("a %s piece stands out from every ground", (piece) => {
    for (const ground of GROUNDS) {
      const best = Math.max(
        ...[`${piece}-line`, `${piece}-halo`].map((part) => contrast(colour(part), colour(ground))),
      );
      expect(best, `on ${ground}`).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(COLOURS)("a %s piece has a clear outline and a readable letter", (piece) => {
    expect(contrast(colour(piece), colour(`${piece}-line`))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colour(`${piece}-line`), colour(`${piece}-halo`))).toBeGreaterThanOrEqual(3);
  });

  it.each(TEXTS)("%s is readable on %s", (text, ground) => {
    expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["island-sea", "island-deep", "island-lake", "atlantis-sea", "atlantis-deep", "paper", "paper-raised", "beach", "forest", "plain"])(
    "a creature stands out from %s",
    (ground) => {
      const best = Math.max(...["beast", "beast-halo"].map((part) => contrast(colour(part), colour(ground))));
      expect(best).toBeGreaterThanOrEqual(3);
      expect(contrast(colour("beast"), colour("beast-halo"))).toBeGreaterThanOrEqual(7);
    },
  );

  it.each(["beach", "forest", "mountain", "plain", "hill"])("the pattern of %s is visible", (terrain) => {
    expect(contrast(colour(`${terrain}-mark`), colour(terrain))).toBeGreaterThanOrEqual(3);
  });

  it.each(["island-sea", "island-deep", "atlantis-sea", "atlantis-deep"])("boats stand out from %s", (ground) => {
    const best = Math.max(...["boat-edge", "hull"].map((part) => contrast(colour(part), colour(ground))));
    expect(best).toBeGreaterThanOrEqual(3);
    expect(contrast(colour("on-hull"), colour("hull"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colour("on-hull"), colour("hull-shade"))).toBeGreaterThanOrEqual(3);
  });

  it("a value is readable on its coin", () => {
    expect(contrast(colour("on-coin"), colour("coin"))).toBeGreaterThanOrEqual(4.5);
  });

  it("the ring of a legal target stands out from the paper ring under it", () => {
    expect(contrast(colour("ring"), colour("paper-raised"))).toBeGreaterThanOrEqual(3);
  });

  it.each(["sea-1", "sea-2", "sea-3", "sea-4", "paper", "paper-raised"])("chips stand out from %s by their edge", (ground) => {
    expect(contrast(colour("chip-edge"), colour(ground))).toBeGreaterThanOrEqual(3);
  });
});
