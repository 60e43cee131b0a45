import { pageAt, pathOf } from "./addresses";

/** The id of the table that an opened record looks like; ids of tables are longer. */
export const RECORD = "record";

/** The current page: home, the page about oneself, the puzzles of a game, the deals of the day or all tables of a deal,
 * clubs, a table, a friend's invitation to a table on their device or the answer to one, an opened record, or one that
 * another app shares; "missing" for any other address. Secrets and event numbers are in the fragment,
 * which browsers do not send to servers. */
export type Place =
  | { page: "home" }
  | { page: "missing" }
  | { page: "shared" }
  | { page: "you" | "operator" | "privacy" }
  | { page: "puzzles"; game: string }
  | { page: "deal"; id: string }
  | { page: "club"; id: string; invitation: string | null }
  | { page: "friend"; id: string; mark: string }
  | { page: "table" | "record"; id: string; invitation: string | null; moment: number | null; carried: string | null };

export function readPlace(address: { pathname: string; search: string; hash: string }): Place {
  const path = pathOf(address);
  const puzzles = /^\/puzzles(?:\/([a-z0-9-]{1,40}))?\/?$/.exec(path);
  if (puzzles) return { page: "puzzles", game: puzzles[1] ?? "" };
  const deal = /^\/(?:daily|deal\/([A-Za-z0-9_-]{8,32}))\/?$/.exec(path);
  if (deal) return { page: "deal", id: deal[1] ?? "" };
  if (path === "/shared") return { page: "shared" };
  const club = /^\/(?:clubs|club\/([A-Za-z0-9_-]{8,32}))\/?$/.exec(path);
  if (club) return { page: "club", id: club[1] ?? "", invitation: /^#join=([A-Za-z0-9_-]{20,64})$/.exec(address.hash)?.[1] ?? null };
  const alone = /^\/(you|operator|privacy)\/?$/.exec(path);
  if (alone) return { page: alone[1] as "you" };
  const found = /^\/(?:t\/([A-Za-z0-9_-]{8,32})|record)\/?$/.exec(path);
  if (!found) return { page: path === "/" ? "home" : "missing" };
  const mark = decodeURIComponent(address.hash.slice(1));
  if (found[1] && /^(offer|answer|room)=[\w.-]{1,620}$/.test(mark)) return { page: "friend", id: found[1], mark };
  const invitation = /^seat=([A-Za-z0-9_-]{20,64})$/.exec(mark);
  const carried = /^moved=([A-Za-z0-9_-]{1,4000})$/.exec(mark);
  const moment = /^\d{1,8}$/.exec(mark);
  return {
    page: found[1] ? "table" : "record",
    id: found[1] ?? RECORD,
    invitation: invitation ? invitation[1]! : null,
    moment: moment ? Number(mark) : null,
    carried: carried && carried[1]!,
  };
}

class Route {
  place = $state.raw<Place>({ page: "home" });

  constructor() {
    if (typeof window === "undefined") return;
    this.place = readPlace(location);
    addEventListener("popstate", () => (this.place = readPlace(location)));
  }

  go(path: string): void {
    history.pushState(null, "", pageAt(path));
    this.place = readPlace(location);
    scrollTo(0, 0);
  }

  /** Change the fragment without a new history entry. */
  mark(text: string): void {
    history.replaceState(null, "", location.pathname + location.search + (text ? `#${text}` : ""));
  }
}

export const route = new Route();

export function tableAddress(id: string, mark = "", origin = location.origin): string {
  return origin + pageAt(`/t/${id}${mark ? `#${mark}` : ""}`);
}

/** Click handler of links: navigates without reloading, unless a new tab is requested. */
export function follow(event: MouseEvent): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const anchor = event.currentTarget as HTMLAnchorElement;
  route.go(pathOf(anchor) + anchor.hash);
}
