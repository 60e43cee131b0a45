/** The pages about oneself and for the host, with their texts. */
import type { Component } from "svelte";
import { withTexts } from "../texts/index.svelte";
import { hasProfile } from "../lib/profile";
import { loadWithRetry } from "../lib/loading.svelte";

const texts = {
  en: async () => (await import("./you.en")).youEn,
  fr: async () => (await import("./you.fr")).youFr,
};

type Page = Component<{ id: string }>;

export const youPage = async (): Promise<Page> =>
  (await withTexts(["home", "more", texts], () => import("./YouPage.svelte"))).default as unknown as Page;
export const operatorPage = async (): Promise<Page> =>
  (await withTexts(["home", texts], () => import("./OperatorPage.svelte"))).default as unknown as Page;
export const privacyPage = async (): Promise<Page> =>
  (await withTexts(["home", texts], () => import("./PrivacyPage.svelte"))).default as unknown as Page;

const identity = () => loadWithRetry(() => import("./identity"));

/** What opens the seats of the profile, in a hello. */
export async function session(): Promise<{ session?: string }> {
  try {
    return { session: (await (await identity()).session()).token };
  } catch {
    return {};
  }
}

/** Add the seats of a token to the profile, once per table and visit. */
export async function claimSeat(table: string, token: string): Promise<void> {
  if (!hasProfile() || claimed.has(token + table)) return;
  claimed.add(token + table);
  await identity()
    .then(({ own }) => own("/api/profile/seat", { table, token }))
    .catch(() => claimed.delete(token + table));
}
const claimed = new Set<string>();
