import type { Component } from "svelte";
import { isHosted, lineOf } from "../friends/known";
import { withTexts } from "../texts/index.svelte";
import { loadWithRetry } from "./loading.svelte";
import { route, type Place } from "./route.svelte";

type Page = Component<{ id: string }>;

/** The line to the friend whose device is this table, or those to the friends at ours. */
async function connectFriends(table: string): Promise<void> {
  if (lineOf(table) !== undefined) await (await loadWithRetry(() => import("../friends/guest"))).guestOf(table);
  else if (isHosted(table)) await (await loadWithRetry(() => import("../friends/hosting.svelte"))).hostingOf(table);
}

/** Each page is a separate chunk, loaded on demand. */
export const pages: Record<Place["page"], () => Promise<Page>> = {
  home: async () =>
    (await withTexts(["home", "more"], () => import("../home/Home.svelte"))).default as unknown as Page,
  missing: async () =>
    (await withTexts(["home"], () => import("../home/Missing.svelte"))).default as unknown as Page,
  puzzles: async () =>
    (await withTexts(["home"], () => import("../puzzle/PuzzlesPage.svelte"))).default as unknown as Page,
  record: async () => (await Promise.all([pages.table(), withTexts(["home"], () => import("../record/record_file"))]))[0],
  friend: async () =>
    (await withTexts(["friends", "home"], () => import("../friends/FriendPage.svelte"))).default as unknown as Page,
  table: async () => {
    const { place } = route;
    const [{ default: Page }] = await Promise.all([
      loadWithRetry(() => import("../table/TablePage.svelte")),
      place.page === "table" ? connectFriends(place.id) : undefined,
    ]);
    return Page;
  },
};
