/** Do something, then show how things are; the second argument is told if it worked. */
export type Attempt = (what: () => Promise<unknown>, said?: string) => Promise<void>;
