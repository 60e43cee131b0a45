import { t } from "../texts/index.svelte";

const family = (bot: string) => bot.replace(/-\d+$/, "");
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

/** The display name of a bot; its own name if it has no translation. */
export const botName = (bot: string): string => t().bots?.[family(bot)] ?? family(bot);
