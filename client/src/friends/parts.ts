/** What pages use of this folder. They load it only where devices can meet (see `meets`), so a table without friends
 * does not wait for it. */
import type { Component } from "svelte";
import { withTexts, type Load } from "../texts/index.svelte";
import type { Session } from "../lib/session.svelte";
import { isHosted, lineOf } from "./known";

export const FRIENDS: Load = {
  en: async () => (await import("../texts/friends.en")).friendsEn,
  fr: async () => (await import("../texts/friends.fr")).friendsFr,
};

/** The page of a link between friends. */
export const friendPage = async () => (await withTexts([FRIENDS, "home"], () => import("./FriendPage.svelte"))).default;

/** Make the line to the friend whose device is this table, or those to the friends at ours. */
export async function connect(table: string): Promise<void> {
  if (lineOf(table) !== undefined) await (await withTexts([FRIENDS], () => import("./guest"))).guestOf(table);
  else if (isHosted(table)) await (await withTexts([], () => import("./hosting.svelte"))).hostingOf(table);
}

/** The host's invitations; null on a friend's device, and once a game without friends has begun. */
export async function invitations({ id: table }: Session, begun: boolean): Promise<Component<{ session: Session }> | null> {
  if (lineOf(table) !== undefined || (begun && !isHosted(table))) return null;
  return (await withTexts([FRIENDS, "home"], () => import("./InviteFriends.svelte"))).default;
}

/** The page of a table that continues on a server. */
export const movedPage = async () => (await withTexts([FRIENDS, "home"], () => import("./MovedPage.svelte"))).default;
