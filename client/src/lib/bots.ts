import { t } from "../texts/index.svelte";

const family = (bot: string) => bot.replace(/-\d+$/, "");
const version = (bot: string) => Number(/-(\d+)$/.exec(bot)?.[1] ?? 0);

/** The usual strength: people choose from there upwards or downwards. */
const USUAL = "regular";
/** Kinds that are there for studies, and where a game has no levels. */
const PLAIN = ["random", "greedy"];

/** Of each kind of bot the newest: earlier ones remain for the games that they have played. */
export function newestBots(bots: readonly string[]): string[] {
  const newest = bots.filter((bot) => !bots.some((other) => family(other) === family(bot) && version(other) > version(bot)));
  return newest.some((bot) => family(bot) === USUAL) ? newest.filter((bot) => !PLAIN.includes(family(bot))) : newest;
}

/** The bot that fills a seat where nobody has chosen one. */
export function usualBot(bots: readonly string[]): string | null {
  const newest = newestBots(bots);
  const kind = (wanted: string) => newest.find((bot) => family(bot) === wanted);
  return kind(USUAL) ?? kind("greedy") ?? newest.at(-1) ?? null;
}

/** What a kind of bot is called here; one that nobody has named yet goes by its own name. */
export const botName = (bot: string): string => t().bots?.[family(bot)] ?? family(bot);
