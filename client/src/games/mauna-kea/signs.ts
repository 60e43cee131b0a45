/** The shape of each artefact colour, in a 20 × 20 box around (0, 0): mask, jar and idol. No explorer has one
 * of these outlines (circle, triangle, square, diamond, hexagon, star). */
export const ARTEFACTS: Record<string, string> = {
  white: "M-7.500-8.500H7.500V0C7.500 5.500 3.500 9 0 9.500C-3.500 9-7.500 5.500-7.500 0Z",
  grey: "M-4-9H4V-6L7.500-2V6L5 9H-5L-7.500 6V-2L-4-6Z",
  black: "M-3.500-10H3.500V-5.500H9V0H3.500V4L6.500 9.500H-6.500L-3.500 4V0H-9V-5.500H-3.500Z",
};

/** The drawings on cards as strokes, in a 24 × 24 box around (0, 0). */
export const CARDS: Record<string, string> = {
  jungle: "M0 10C1 5 1 2 0-3M0-3C-3-8-8-8-10-4M0-3C3-8 8-8 10-4M0-3C-5-4-8-1-8 3M0-3C5-4 8-1 8 3M0-3C-1-7 1-9 3-10M-5 10H5",
  lake: "M-10-4Q-7-8-4-4T2-4 8-4M-10 2Q-7-2-4 2T2 2 8 2M-10 8Q-7 4-4 8T2 8 8 8",
  mountain: "M-11 9-3-8 2 1 5-4 11 9ZM-3-8-1 5M5-4 6 5",
  earthquake: "M-9-9H-1L-4-3 0 1-3 9H-9ZM3-9H9V9H1L4 2 0-2Z",
  helicopter: "M-10-9H8M-1-9V-5M-7-1C-7-4-4-5-1-5 4-5 6-2 6 2H-4C-6 2-7 1-7-1ZM6-1 11-3M-4 2V5M3 2V5M-8 6H7",
  explorers: "M-5-8A3 3 0 1 1-5-2A3 3 0 1 1-5-8ZM-10 8C-10 0 0 0 0 8ZM5-8A3 3 0 1 1 5-2A3 3 0 1 1 5-8ZM3 2C7 0 11 3 11 8H3",
  boat: "M-11 2H11L7 9H-7ZM0 2V-10M0-10 7-1H0",
  penalty: "M-10 3H10L6 9H-6ZM-7-9 7 3M7-9-7 3",
};

/** The drawing and the artefacts of a card by its name, such as `2white-1grey`. */
export function cardSign(card: string): { sign: string; artefacts: string[]; boat: string } {
  const boat = /^(\w+)-boat$/.exec(card)?.[1] ?? "";
  const sign = boat ? "boat" : card === "no-penalty" ? "penalty" : card === "2explorers" ? "explorers" : card;
  const artefacts = [...card.matchAll(/(\d)(white|grey|black)/g)].flatMap(([, many, colour]) =>
    Array.from({ length: Number(many) }, () => colour!),
  );
  return { sign, artefacts, boat };
}
