/** The clubs of this browser, and requests to them. */
import { newShare } from "../lib/fair_dice";
import { json } from "../lib/http";
import { remember, remembered } from "../lib/storage";
import { keepTable } from "../lib/tables";
import type {
  AddDeal,
  AnswerClubProposal,
  BeginSeason,
  CloseClub,
  ClubShown,
  DrawRound,
  Enter,
  GiveResult,
  Membership,
  OpenTournament,
  Propose,
  RemoveMember,
  RenewLink,
  Seated,
  SetRole,
  Withdraw,
} from "../generated/messages";

export type ClubCommand =
  | AddDeal
  | AnswerClubProposal
  | BeginSeason
  | CloseClub
  | DrawRound
  | Enter
  | GiveResult
  | OpenTournament
  | Propose
  | RemoveMember
  | RenewLink
  | SetRole
  | Withdraw;

/** A club where this browser is a member. */
export interface KeptClub {
  token: string;
  name: string;
}

export const keptClubs = (): Record<string, KeptClub> => remembered<Record<string, KeptClub>>("clubs", {});

export function keepClub(id: string, club: KeptClub | null): void {
  const clubs = keptClubs();
  if (club) clubs[id] = club;
  else delete clubs[id];
  remember("clubs", clubs);
}

export async function openClub(name: string, my_name: string): Promise<string> {
  const { club, token } = await json<Membership>("/api/clubs", { name, my_name });
  keepClub(club, { token, name });
  return club;
}

export async function joinClub(id: string, invitation: string, name: string): Promise<void> {
  const { token } = await json<Membership>(`/api/clubs/${id}/join`, { invitation, name });
  keepClub(id, { token, name: "" });
}

const tokenOf = (id: string): string => keptClubs()[id]?.token ?? "";

export async function readClub(id: string): Promise<ClubShown> {
  const token = tokenOf(id);
  const club = await json<ClubShown>(`/api/clubs/${id}`, undefined, token);
  keepClub(id, { token, name: club.name });
  return club;
}

export const tellClub = (id: string, command: ClubCommand): Promise<ClubShown | null> =>
  json<ClubShown | null>(`/api/clubs/${id}/commands`, command, tokenOf(id));

/** Open a table, or sit down at one; returns its id. */
async function seat(id: string, path: string, game: string, wish: object): Promise<string> {
  const { nonce, seal } = await newShare();
  const { table, token, invitations } = await json<Seated>(`/api/clubs/${id}/tables${path}`, { ...wish, seal }, tokenOf(id));
  keepTable(table, { token, game, seen: 0, nonces: [nonce], ...(invitations ? { invitations } : {}) });
  return table;
}

export const openTable = (id: string, game: string, wish: { proposal: number } | { tournament: number }): Promise<string> => seat(id, "", game, wish);
export const sitDown = (id: string, game: string, table: string): Promise<string> => seat(id, `/${table}/join`, game, {});

/** Save an export as a file. */
export async function download(id: string, what: "export" | "results"): Promise<void> {
  const answer = await fetch(`/api/clubs/${id}/${what}`, { headers: { Authorization: `Bearer ${tokenOf(id)}` } });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `archipel-${id}.${what === "export" ? "json" : "csv"}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
