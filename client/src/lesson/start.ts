/** Opens the table of a lesson, and a first game after it. */
import { isSite } from "../lib/addresses";
import { newestBots, suggestedOptions } from "../lib/bots";
import { listGames } from "../lib/http";
import { makeTable } from "../lib/lobby";
import { route } from "../lib/route.svelte";
import { settings } from "../lib/settings.svelte";
import { keepTable } from "../lib/tables";
import type { LessonText, NewTable, Seated } from "../generated/messages";

async function goTo(wish: NewTable, back?: string): Promise<void> {
  const { table, token } = await (isSite ? whileReading(wish) : makeTable(wish));
  keepTable(table, { token, game: wish.game, seen: 0, ...(wish.lesson ? { lesson: wish.lesson } : {}), ...(back ? { back } : {}) });
  route.go(`/t/${table}`);
}

/** Makes the table. While a static site is still loading, its page shows the first step of the lesson. */
async function whileReading(wish: NewTable): Promise<Seated> {
  const { siteState } = await import("../site/site_state.svelte");
  siteState.lesson = wish;
  try {
    return await makeTable(wish);
  } finally {
    siteState.lesson = null;
  }
}

/** `back`: the address of the invitation to return to after the lesson. */
export const startLesson = (game: string, lesson: string, defaultName: string, back?: string): Promise<void> =>
  goTo({ game, lesson, seats: [{}], my_name: settings.name || defaultName, ...(settings.colour ? { my_colour: settings.colour } : {}) }, back);

/** Starts the game that the lesson proposes, against the weakest bots. */
export async function startFirstGame(game: string, after: LessonText, name: string): Promise<void> {
  const description = (await listGames()).find((each) => each.name === game)!;
  const bot = newestBots(description.bots)[0] ?? "";
  const others = Array.from({ length: after.seats - 1 }, () => ({ bot }));
  return goTo({
    game,
    seats: [{}, ...others],
    options: { ...suggestedOptions(description, [bot], false), ...after.options },
    my_name: name,
    ...(settings.colour ? { my_colour: settings.colour } : {}),
    my_seat: 0,
    begin: true,
  });
}
