import { t } from "../texts/index.svelte";

const family = (bot: string) => bot.replace(/-\d+$/, "");
const version = (bot: string) => Number(/-(\d+)$/.exec(bot)?.[1] ?? 0);

/** Of each kind of bot the newest: earlier ones remain for the games that they have played. */
export function newestBots(bots: readonly string[]): string[] {
  return bots.filter((bot) => !bots.some((other) => family(other) === family(bot) && version(other) > version(bot)));
}

/** The bot that fills a seat where nobody has chosen one. */
export function usualBot(bots: readonly string[]): string | null {
  const newest = newestBots(bots);
  return newest.find((bot) => family(bot) === "greedy") ?? newest.at(-1) ?? null;
}

/** What a kind of bot is called here; one that nobody has named yet goes by its own name. */
export const botName = (bot: string): string => t().bots?.[family(bot)] ?? family(bot);
