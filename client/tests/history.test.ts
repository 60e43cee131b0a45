import { beforeEach, describe, expect, it, vi } from "vitest";
import { finishedGames, forgetGames, noteGame, recordOf } from "../src/lib/history";
import type { Result, Table } from "../src/generated/messages";

const storage = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
});

const table = (id: string, game = "deep-sea") => ({ id, game, seats: [{ name: "Ana" }, { name: "Bo" }] }) as unknown as Table;
const result = (mine: number, other: number): Result => ({
  scores: [mine, other],
  ranks: mine >= other ? [0, mine === other ? 0 : 1] : [1, 0],
  reason: "end.rounds",
});

describe("the games finished on this device", () => {
  beforeEach(() => storage.clear());

  it("are stored once each, latest first", () => {
    noteGame(table("t1"), result(12, 9), 0);
    noteGame(table("t2"), result(3, 9), 0);
    noteGame(table("t1"), result(12, 9), 0);
    expect(finishedGames().map((game) => game.table)).toEqual(["t2", "t1"]);
    expect(finishedGames()[1]).toMatchObject({ names: ["Ana", "Bo"], scores: [12, 9], ranks: [0, 1], me: 0 });
    forgetGames();
    expect(finishedGames()).toEqual([]);
  });

  it("are summarized without games shared by several people on one device", () => {
    noteGame(table("t1"), result(12, 9), 0);
    noteGame(table("t2"), result(3, 9), 0);
    noteGame(table("t3"), result(40, 1), null);
    noteGame(table("t4"), result(6, 6), 1);
    expect(recordOf(finishedGames())).toEqual({ played: 3, won: 2, best: 12, average: 7 });
    expect(recordOf(finishedGames().filter(({ me }) => me === null))).toBeNull();
  });

  it("are limited to 200", () => {
    for (let number = 0; number < 230; number++) noteGame(table(`t${number}`), result(1, 0), 0);
    expect(finishedGames()).toHaveLength(200);
    expect(finishedGames()[0]!.table).toBe("t229");
  });
});
