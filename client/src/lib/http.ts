import type { GameDescription, Language, Problem, Rules } from "../generated/messages";
import { settings } from "./settings.svelte";

/** A request that the server refused, or that did not reach it (`code` "unreachable"). */
export class RequestError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

async function ask(path: string, body?: unknown): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Accept-Language": settings.language,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new RequestError({ code: "unreachable", message: "" });
  }
  if (response.ok) return response;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new RequestError(problem ?? { code: `http_${response.status}`, message: response.statusText });
}

export const json = async <T>(path: string, body?: unknown): Promise<T> =>
  (await (await ask(path, body)).json()) as T;

let games: Promise<GameDescription[]> | null = null;

/** The games, fetched once per page load, or anew if `fresh`. */
export function listGames(fresh = false): Promise<GameDescription[]> {
  if (games && !fresh) return games;
  const asked = json<GameDescription[]>("/api/games");
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

export function socketAddress(id: string): string {
  return `${location.origin.replace(/^http/, "ws")}/api/tables/${id}/socket`;
}
