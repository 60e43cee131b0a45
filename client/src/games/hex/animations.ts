import type { Act } from "../../board/face";
import type { Happening } from "../../generated/messages";

/** Animations that the hex games share; event details name pieces as in the notation. */
export const boatId = (name: unknown): string => `boat-${String(name)}`;
export const beastId = (name: unknown): string => String(name).replace(" ", "-");
export const names = (value: unknown): string[] => (value ?? []) as string[];

/** Several pieces on the same path. */
export function goes(pieces: readonly string[], from: unknown, to: unknown, lasts = 360): Act {
  const space = String(to);
  return {
    moves: pieces.map((piece) => ({ piece, cells: [space] })),
    trail: from === undefined ? [space] : [String(from), space],
    lasts,
    sound: "step",
  };
}

export const appears = (piece: string, at: unknown, lasts = 320): Act => ({
  moves: [{ piece, cells: [String(at)] }],
  lasts,
  sound: "step",
});

/** The animation of an event that both games have; null for the others. */
export function sharedAct({ key, details }: Happening, people: readonly string[]): Act {
  const [what, how] = key.split(".");
  const space = String(details["space"]);
  const ripple = { kind: "ripple", cell: space };
  switch (what) {
    case "choose":
      return { brief: true, trail: [space] };
    case "sail":
    case "wind":
      return { ...goes([boatId(details["boat"]), ...people], details["start"], space), gauges: { points: details["points"] } };
    case "capsize":
      return { ...goes(people, undefined, space, 600), gone: [boatId(details["boat"])], effect: ripple, sound: "lost" };
    case "devour":
      return { gone: [boatId(details["boat"]), ...people], effect: ripple, lasts: 800, sound: "lost" };
    case "eaten":
      return { gone: people, effect: ripple, lasts: 800, sound: "lost" };
    case "whirlpool": {
      const beasts = names(details["creatures"] ?? details["animals"]).map(beastId);
      const gone = how === "boats" ? names(details["boats"]).map(boatId) : beasts.length > 0 ? beasts : people;
      return { gone, effect: { kind: "whirl", cell: space }, lasts: 800, sound: "lost" };
    }
    case "creature":
    case "animal": {
      const beast = details["creature"] ?? details["animal"];
      return beast !== undefined && "start" in details ? goes([beastId(beast)], details["start"], space, 420) : { brief: true };
    }
    case "over":
    case "score":
    case "win":
      return { lasts: 900, ...(what === "win" ? { sound: "end" as const } : {}) };
    default:
      return {};
  }
}
