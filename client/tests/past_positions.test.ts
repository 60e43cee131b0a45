import { describe, expect, it, vi } from "vitest";
import type { Position } from "../src/generated/messages";
import type { Session } from "../src/lib/session.svelte";

vi.mock("../src/lib/route.svelte", () => ({ route: { place: {}, mark: () => {} } }));
const { Past } = await import("../src/table/past_positions.svelte");

/** A session whose answers the test gives, in any order. */
function slowSession() {
  const answers = new Map<number, (position: Position) => void>();
  const session = { log: [], latest: null, lookAt: (n: number) => new Promise((answer) => answers.set(n, answer)) };
  return { session: session as unknown as Session, answer: (n: number) => answers.get(n)!({ n } as Position) };
}

const pastOf = (session: Session) => new Past(session, async (wish) => void (await wish()));

describe("the past position shown", () => {
  it("is the one asked for last, in whatever order the answers arrive", async () => {
    const { session, answer } = slowSession();
    const past = pastOf(session);
    const both = [past.lookAt(7), past.lookAt(3)];
    answer(3);
    answer(7);
    await Promise.all(both);
    expect(past.position?.n).toBe(3);
  });

  it("is none after the return to the present", async () => {
    const { session, answer } = slowSession();
    const past = pastOf(session);
    const late = past.lookAt(7);
    past.toNow();
    answer(7);
    await late;
    expect(past.position).toBeNull();
  });
});
