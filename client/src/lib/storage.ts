import { folder, isSite } from "./addresses";

/** The key of what belongs to the tables of one place: a static site may share its host with a server. */
export const ofPlace = (key: string): string => (isSite ? `${key} ${folder}` : key);

/** Local storage. If it is disabled or full, values are lost and nothing breaks. */
export function remembered<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`archipel.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`archipel.${key}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse; the value then lives as long as the page.
  }
}
