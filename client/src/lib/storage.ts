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
