import type { GameDescription } from "../generated/messages";
import { t } from "../texts/index.svelte";
import { botName, family } from "./bot_name";

const version = (bot: string) => Number(/-(\d+)$/.exec(bot)?.[1] ?? 0);

/** The default strength. */
const USUAL = "regular";
/** Bots for studies, offered only if a game has no levels. */
const PLAIN = ["random", "greedy"];

/** The newest version of each bot; older versions exist for recorded games. */
export function newestBots(bots: readonly string[]): string[] {
  const newest = bots.filter((bot) => !bots.some((other) => family(other) === family(bot) && version(other) > version(bot)));
  return newest.some((bot) => family(bot) === USUAL) ? newest.filter((bot) => !PLAIN.includes(family(bot))) : newest;
}

/** The default bot of a seat. */
export function usualBot(bots: readonly string[]): string | null {
  const newest = newestBots(bots);
  const kind = (wanted: string) => newest.find((bot) => family(bot) === wanted);
  return kind(USUAL) ?? kind("greedy") ?? newest.at(-1) ?? null;
}

/** The options of a table unless its maker chooses others: no lava in the first round of a first game, and
 * quick set-up on one device, where it would be passed on for every piece. */
export function suggestedOptions(game: GameDescription, bots: readonly string[], oneDevice: boolean): Record<string, boolean> {
  const suggested = { quiet_first_round: bots.some((bot) => family(bot) === "first-game"), auto_setup: oneDevice };
  return Object.fromEntries(Object.entries(suggested).filter(([name, on]) => on && game.options.some((option) => option.name === name)));
}

/** A bot as an option for a seat, with a description of its strength. */
export const botText = (bot: string): string => t().setUp.bot(t().setUp.levels[family(bot)] ?? botName(bot));
