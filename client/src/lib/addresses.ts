/** Addresses of the client's files and pages: at the root of a server, or in a folder of a static site, whose
 * host knows only one page, so that the others are in its query: `/folder/?/t/abcdefgh`. */

/** Whether the page belongs to a static site, which has no server. */
export const isSite = typeof document !== "undefined" && document.documentElement.dataset.site !== undefined;

/** Whether the devices of friends can meet at tables of this one (see `friends/`). */
export const meets = typeof document !== "undefined" && document.documentElement.dataset.meeting !== undefined;

/** The path of the folder of the client's files. */
export const folder = isSite ? location.pathname.replace(/[^/]*$/, "") : "/";

/** The address of a file, given from the root. */
export const fileAt = (path: string): string => folder + path.slice(1);

/** The address of a page, given from the root, perhaps with a fragment. */
export const pageAt = (path: string): string => (isSite && !/^\/(#|$)/.test(path) ? `${folder}?${path}` : fileAt(path));

/** The path of a page from the root: the opposite of `pageAt`, without the fragment. */
export const pathOf = ({ pathname, search }: { pathname: string; search: string }): string =>
  !isSite ? pathname : search.startsWith("?/") ? decodeURIComponent(search.slice(1)) : "/";
