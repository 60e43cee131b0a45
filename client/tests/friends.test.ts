import { beforeEach, describe, expect, it } from "vitest";
import { GuestBridge } from "../src/friends/hosting.svelte";
import { rematchIn, type FromHost } from "../src/friends/messages";
import { nameOf, newRoom, ROOM_MARK, roomMark, seal, unseal } from "../src/friends/room";
import { readPlace } from "../src/lib/route.svelte";
import { useTransport, type ApiRequest, type Socket } from "../src/lib/transport";

const TABLE = "table-0001";

class FakeSocket implements Socket {
  sent: string[] = [];
  closed = false;
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  constructor(readonly table: string) {}
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
  says(text: string): void {
    this.onmessage?.({ data: text } as never);
  }
}

let sockets: FakeSocket[];
let asked: ApiRequest[];
let told: FromHost[];
let cut: number;
let bridge: GuestBridge;

beforeEach(() => {
  [sockets, asked, told, cut] = [[], [], [], 0];
  useTransport({
    open: (table) => {
      sockets.push(new FakeSocket(table));
      return sockets.at(-1)!;
    },
    ask: async (request) => {
      asked.push(request);
      return { status: 200, text: "{}" };
    },
  });
  bridge = new GuestBridge(TABLE, (message) => told.push(message), () => (cut += 1));
});

describe("the host's side of a guest", () => {
  it("forwards messages in both directions, by socket", () => {
    bridge.hear({ open: 1, table: TABLE });
    bridge.hear({ open: 2, table: TABLE });
    sockets[1]!.onopen?.(undefined as never);
    bridge.hear({ say: 2, text: "hello" });
    sockets[1]!.says("welcome");
    expect(sockets.map(({ sent }) => sent)).toEqual([[], ["hello"]]);
    expect(told).toEqual([{ opened: 2 }, { said: 2, text: "welcome" }]);
    bridge.hear({ shut: 2 });
    sockets[1]!.says("late");
    expect([sockets[1]!.closed, told.length]).toEqual([true, 2]);
    bridge.close();
    expect(sockets.every(({ closed }) => closed)).toBe(true);
  });

  it("leads to one table and to its rematches only", async () => {
    bridge.hear({ open: 1, table: "table-0002" });
    expect([sockets.length, told]).toEqual([0, [{ shut: 1 }]]);
    bridge.hear({ open: 2, table: TABLE });
    sockets[0]!.says('{"type":"update","text":"\\"rematch\\":\\"table-0003\\"","rematch":"table-0002"}');
    bridge.hear({ open: 3, table: "table-0002" });
    bridge.hear({ open: 4, table: "table-0003" });
    expect(sockets.map(({ table }) => table)).toEqual([TABLE, "table-0002"]);
    for (const path of ["/api/tables", "/api/tables/table-0009/join", `/api/tables/${TABLE}/socket`, `/api/tables/${TABLE}/../x`, "/api/games"])
      bridge.hear({ ask: 9, path, language: "en" });
    bridge.hear({ ask: 10, path: `/api/tables/${TABLE}/join`, language: "fr", body: "{}" });
    bridge.hear({ ask: 11, path: `/api/tables/${TABLE}/draws`, language: "en" });
    await Promise.resolve();
    expect(asked).toEqual([
      { path: `/api/tables/${TABLE}/join`, language: "fr", body: "{}" },
      { path: `/api/tables/${TABLE}/draws`, language: "en" },
    ]);
  });

  it("limits sockets, sizes and rates", () => {
    for (let number = 1; number <= 6; number += 1) bridge.hear({ open: number, table: TABLE });
    expect(sockets).toHaveLength(4);
    for (let round = 0; round < 60; round += 1) bridge.hear({ say: 1, text: '{"type":"undo","id":"abc"}' });
    expect(sockets[0]!.sent.length).toBeLessThan(45);
    expect(JSON.parse((told.at(-1) as { text: string }).text)).toMatchObject({ type: "refused", id: "abc", problem: { code: "too_fast" } });
    expect(cut).toBe(0);
    for (let round = 0; round < 60; round += 1) bridge.hear({ say: 1, text: "{}" });
    expect(cut).toBeGreaterThan(0);
  });

  it("cuts off whoever sends something else", () => {
    const bad = [null, 1, "x", {}, { open: "1", table: TABLE }, { open: 1 }, { say: 1, text: "x".repeat(5_000) }, { ask: 1, path: 2 }, { open: 1, say: 1, table: TABLE, text: "" }];
    for (const message of bad) bridge.hear(message);
    expect([cut, sockets.length, asked.length]).toEqual([bad.length, 0, 0]);
  });
});

describe("a rematch", () => {
  it("is read from messages of the table, not from what players write", () => {
    expect(rematchIn('{"rematch":"abcdefgh","n":1}')).toBe("abcdefgh");
    expect(rematchIn(JSON.stringify({ text: '{"rematch":"abcdefgh"}', rematch: null }))).toBeNull();
  });
});

describe("a room at a signalling server", () => {
  it("has links that lead to it, and a name that tells nothing about its secret", async () => {
    const room = newRoom();
    const mark = await roomMark(room);
    expect(mark).toMatch(ROOM_MARK);
    expect(mark).not.toContain(room.secret);
    expect(await nameOf(room)).toBe(mark.split(".")[0]);
    expect(readPlace({ pathname: `/t/${TABLE}`, search: "", hash: `#room=${mark}` })).toEqual({ page: "friend", id: TABLE, mark: `room=${mark}` });
  });

  it("seals messages for one room and direction", async () => {
    const room = newRoom();
    const name = await nameOf(room);
    const sealed = await seal({ offer: "…" }, name, room.key, "guest");
    expect(sealed).not.toContain("offer");
    expect(await unseal(sealed, name, room.key, "guest")).toEqual({ offer: "…" });
    const other = newRoom();
    const wrong: [string, string, string, "guest" | "host"][] = [
      [sealed, name, room.key, "host"],
      [sealed, name, other.key, "guest"],
      [sealed, await nameOf(other), room.key, "guest"],
      [sealed.slice(0, -4), name, room.key, "guest"],
      ["", name, room.key, "guest"],
    ];
    for (const each of wrong) await expect(unseal(...each)).rejects.toThrow();
  });
});
