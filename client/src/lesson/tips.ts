import type { Happening, Occasion, Remark } from "../generated/messages";

const fits = (occasions: readonly Occasion[], { key, details }: Happening) =>
  occasions.some((each) => each.key === key && (!each.name || String(details[each.name]) === each.value));

/** Whether one of the recent events is an occasion of the tip, and no later one makes it untrue. */
export function isTimely({ occasions, until }: Remark, recent: readonly Happening[]): boolean {
  const last = recent.findLastIndex((each) => fits(occasions, each));
  return last >= 0 && !recent.slice(last + 1).some((each) => fits(until, each));
}
