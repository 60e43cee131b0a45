import { describe, expect, it } from "vitest";
import { server, transportFor, transportTo, useTransport, type Transport } from "../src/lib/transport";

const nowhere = (): Transport => ({ open: () => ({}) as never, ask: () => Promise.reject(new Error()) });

describe("transports", () => {
  it("are chosen by table, for channels and requests", () => {
    const [friend, worker] = [nowhere(), nowhere()];
    expect(transportTo("abcdefgh")).toBe(server);
    useTransport(friend, "abcd-fgh");
    useTransport(worker);
    expect(transportTo("abcd-fgh")).toBe(friend);
    expect(transportFor("/api/tables/abcd-fgh/join")).toBe(friend);
    expect(transportFor("/api/tables/abcdefgh")).toBe(worker);
    expect(transportFor("/api/games")).toBe(worker);
  });
});
