import type { GameDescription, Language, Problem, Rules } from "../generated/messages";
import { fileAt } from "./addresses";
import { settings } from "./settings.svelte";
import { transportFor } from "./transport";

/** A request that the server refused, or that did not reach it (`code` "unreachable"). */
export class RequestError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** Ask for JSON: a POST if there is a body; `token` is the secret of a seat. Throws `RequestError`. */
export async function json<T>(path: string, body?: unknown, token?: string): Promise<T> {
  const request = { path, language: settings.language, ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...(token === undefined ? {} : { token }) };
  const { status, text } = await transportFor(path)
    .ask(request)
    .catch(() => {
      throw new RequestError({ code: "unreachable", message: "" });
    });
  let content: unknown = null;
  try {
    content = JSON.parse(text);
  } catch {
    // Not from the API, for example from a proxy.
  }
  if (status >= 200 && status < 300) return content as T;
  throw new RequestError((content as Problem | null) ?? { code: `http_${status}`, message: "" });
}

let games: Promise<GameDescription[]> | null = null;

/** The games, fetched once per page load, or anew if `fresh`. */
export function listGames(fresh = false): Promise<GameDescription[]> {
  if (games && !fresh) return games;
  const at = (path: string | null) => path && fileAt(path);
  const asked = json<GameDescription[]>("/api/games").then((found) =>
    found.map((game) => ({ ...game, engine: at(game.engine), checker: at(game.checker) })),
  );
  games = asked;
  asked.catch(() => {
    if (games === asked) games = null;
  });
  return asked;
}

export const readRules = (game: string, language: Language) => json<Rules>(`/api/rules/${game}/${language}`);
export const readSentences = (game: string, language: Language) =>
  json<Record<string, string>>(`/api/sentences/${game}/${language}`);
export const recordAddress = (id: string) => `/api/tables/${id}/record`;
