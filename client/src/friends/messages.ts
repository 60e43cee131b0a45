/** Messages between a guest and the host's page. The guest numbers its sockets and requests. */

export type Asked = { ask: number; path: string; language: string; body?: string };

export type FromGuest =
  | { open: number; table: string }
  | { say: number; text: string }
  | { shut: number }
  | Asked;

export type FromHost =
  | { opened: number }
  | { said: number; text: string }
  | { shut: number }
  | { told: number; status: number; text: string };

/** Largest message of each side in bytes: those of a server, and room for the longest log. */
export const LARGEST_FROM_GUEST = 20 * 1024;
export const LARGEST_FROM_HOST = 8 * 1024 * 1024;

/** The table of a rematch, if a message of the table names one. In the text of a player the quotes are escaped. */
export const rematchIn = (text: string): string | null => /[{,]"rematch":"([\w-]{8,32})"/.exec(text)?.[1] ?? null;
