import type { Problem } from "../generated/messages";
import { t } from "../texts/index.svelte";
import { Refusal } from "./connection";
import { RequestError } from "./http";

/** The text of a refusal, with its rule if it has one. */
export function problemText(problem: Problem | null): string {
  if (!problem) return t().problems.unknown;
  // Messages of the server are for programs; messages of tables are in the user's language.
  const own = t().problems.byCode[problem.code];
  if (own) return own;
  const rule = problem.rule ?? "";
  return rule && !problem.message.includes(rule)
    ? t().problems.withRule(capital(problem.message), rule)
    : capital(problem.message) || t().problems.unknown;
}

export function errorText(error: unknown): string {
  return problemText(error instanceof Refusal || error instanceof RequestError ? error.problem : null);
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
