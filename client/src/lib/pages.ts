import type { Component } from "svelte";
import { withTexts } from "../texts/index.svelte";
import { meets } from "./addresses";
import { loadWithRetry } from "./loading.svelte";
import { route, type Place } from "./route.svelte";

type Page = Component<{ id: string }>;

/** What tables with friends need. */
export const friends = () => loadWithRetry(() => import("../friends/parts"));

const people = () => loadWithRetry(() => import("../you/parts"));

/** Each page is a separate chunk, loaded on demand. */
export const pages: Record<Place["page"], () => Promise<Page>> = {
  home: async () =>
    (await withTexts(["home", "more"], () => import("../home/Home.svelte"))).default as unknown as Page,
  missing: async () =>
    (await withTexts(["home"], () => import("../home/Missing.svelte"))).default as unknown as Page,
  puzzles: async () =>
    (await withTexts(["home"], () => import("../puzzle/PuzzlesPage.svelte"))).default as unknown as Page,
  deal: async () => (await withTexts(["home"], () => import("../deal/DealPage.svelte"))).default,
  club: async () => (await withTexts(["home"], () => import("../club/ClubPage.svelte"))).default,
  you: async () => (await people()).youPage(),
  operator: async () => (await people()).operatorPage(),
  privacy: async () => (await people()).privacyPage(),
  record: async () => (await Promise.all([pages.table(), withTexts(["home"], () => import("../record/record_file"))]))[0],
  shared: async () => (await withTexts(["home"], () => import("../record/SharedRecord.svelte"))).default as unknown as Page,
  friend: async () => (await friends()).friendPage(),
  table: async () => {
    const { place } = route;
    if (place.page === "table" && place.carried) {
      (await loadWithRetry(() => import("./carrying"))).unpackCarried(place.id, place.carried);
      route.mark("");
    }
    const [{ default: Page }] = await Promise.all([
      loadWithRetry(() => import("../table/TablePage.svelte")),
      meets && place.page === "table" && friends().then(({ connect }) => connect(place.id)),
    ]);
    return Page;
  },
};
