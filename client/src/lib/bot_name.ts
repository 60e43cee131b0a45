import { t } from "../texts/index.svelte";

/** The name of a bot without its version. */
export const family = (bot: string): string => bot.replace(/-\d+$/, "");

/** The display name of a bot; its own name if it has no translation. */
export const botName = (bot: string): string => t().bots?.[family(bot)] ?? family(bot);
