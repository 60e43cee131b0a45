import type { ClubShown, GameDescription } from "../generated/messages";
import { settings } from "../lib/settings.svelte";
import type { ClubWords } from "./words";

/** The name of a member, who may have left. */
export function nameOf(club: ClubShown, words: ClubWords, member: number | null): string {
  if (member === null) return words.somebody;
  return club.members.find((each) => each.member === member)?.name || words.left;
}

export const namesOf = (club: ClubShown, words: ClubWords, members: readonly (number | null)[]): string =>
  new Intl.ListFormat(settings.language).format(members.map((member) => nameOf(club, words, member)));

export const titleOf = (games: readonly GameDescription[], game: string): string =>
  games.find(({ name }) => name === game)?.titles[settings.language] ?? game;

/** Whether a member may organise. */
export const organises = (club: ClubShown): boolean => club.members.find(({ member }) => member === club.me)?.role !== "member";
