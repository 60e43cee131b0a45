import { describe, expect, it } from "vitest";
import { BadDescription, fromBase64url, fromSdp, LONGEST, pack, toBase64url, toSdp, unpack, type Description } from "../src/friends/description";

/** What Chromium makes for a data channel, and what Firefox makes. */
const CHROMIUM = `v=0
o=- 7672070923344855994 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0
a=extmap-allow-mixed
a=msid-semantic: WMS
m=application 9 UDP/DTLS/SCTP webrtc-datachannel
c=IN IP4 0.0.0.0
a=candidate:2945204403 1 udp 2113937151 b17aeb0c-21bb-4450-b61c-732690e61250.local 55597 typ host generation 0 network-cost 999
a=candidate:2835229699 1 udp 2113942271 25cb1d2e-c3bd-45a9-a18d-f077071f2582.local 53198 typ host generation 0 network-cost 999
a=ice-ufrag:bWPy
a=ice-pwd:XcPREktL6BU3GIatYN83czkb
a=ice-options:trickle
a=fingerprint:sha-256 FE:C0:C5:D5:F3:33:2B:DA:D5:BB:DB:51:60:84:E2:00:4D:68:EB:D4:30:66:DB:06:14:60:65:62:0F:85:B4:68
a=setup:actpass
a=mid:0
a=sctp-port:5000
a=max-message-size:262144
`.replace(/\n/g, "\r\n");

const FIREFOX = `v=0
o=mozilla...THIS_IS_SDPARTA-99.0 4982731 0 IN IP4 0.0.0.0
s=-
t=0 0
a=fingerprint:sha-256 0E:C0:C5:D5:F3:33:2B:DA:D5:BB:DB:51:60:84:E2:00:4D:68:EB:D4:30:66:DB:06:14:60:65:62:0F:85:B4:68
a=group:BUNDLE 0
a=ice-options:trickle
a=msid-semantic:WMS *
m=application 40000 UDP/DTLS/SCTP webrtc-datachannel
c=IN IP4 198.51.100.7
a=candidate:0 1 UDP 2122252543 192.168.1.20 40000 typ host
a=candidate:1 1 UDP 2122187007 2001:db8::1f:20 40001 typ host
a=candidate:2 1 UDP 1686052863 198.51.100.7 40000 typ srflx raddr 192.168.1.20 rport 40000
a=candidate:3 1 TCP 2105524479 192.168.1.20 9 typ host tcptype active
a=candidate:4 2 UDP 2105524478 192.168.1.20 40002 typ host
a=sendrecv
a=ice-pwd:0f6f2b1e5c0d4a7f9b8e7d6c5b4a3f2e
a=ice-ufrag:8d3c2b1a
a=mid:0
a=setup:active
a=sctp-port:5000
a=max-message-size:1073741823
`;

const offer = fromSdp({ type: "offer", sdp: CHROMIUM });
const answer = fromSdp({ type: "answer", sdp: FIREFOX });

/** A small deterministic stream of numbers. */
function stream(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("a packed description", () => {
  it("keeps what a connection needs", () => {
    expect(unpack(pack(offer))).toEqual(offer);
    expect(unpack(pack(answer)).candidates).toEqual([
      { kind: "host", address: "192.168.1.20", port: 40000 },
      { kind: "host", address: "2001:db8:0:0:0:0:1f:20", port: 40001 },
      { kind: "srflx", address: "198.51.100.7", port: 40000 },
    ]);
  });

  it("fits a QR code that any phone reads", () => {
    // Version 10 of 40, error correction M, takes 213 bytes of a link.
    expect(pack(offer).length).toBe(136);
    expect(pack(answer).length).toBeLessThan(160);
  });

  it("comes back as an SDP with the same parts", () => {
    for (const each of [offer, answer]) {
      const { type, sdp } = toSdp(each);
      expect(fromSdp({ type, sdp: sdp! })).toEqual(unpack(pack(each)));
      expect(sdp).toMatch(/^v=0\r\n[\s\S]*\r\n$/);
    }
  });

  it("is refused if it is malformed", () => {
    const good = pack(offer);
    for (const bad of ["", "A", "!", good.slice(0, 80), `${good}A`, `${good}AAAA`, "A".repeat(LONGEST + 1), `AgA${good.slice(3)}`])
      expect(() => unpack(bad), bad).toThrow(BadDescription);
    const many = { ...offer, candidates: Array.from({ length: 8 }, () => answer.candidates[0]!) };
    expect(unpack(pack(many)).candidates).toHaveLength(8);
    const ninth = pack({ ...many, ufrag: "abcdef" }); // 108 bytes: no padding, so that more can follow
    expect(() => unpack(ninth + pack(many).slice(-12))).toThrow(BadDescription);
    expect(() => fromSdp({ type: "offer", sdp: "v=0" })).toThrow(BadDescription);
    expect(() => fromSdp({ type: "rollback", sdp: CHROMIUM })).toThrow(BadDescription);
  });

  it("cannot inject lines into the SDP, whatever the bytes (fuzz)", () => {
    const next = stream(26);
    const seeds = [pack(offer), pack(answer)].map((text) => fromBase64url(text));
    let read = 0;
    for (let round = 0; round < 5_000; round += 1) {
      const bytes = seeds[next(2)]!.slice();
      for (let change = next(4); change >= 0; change -= 1) bytes[next(bytes.length)] = next(256);
      const text = toBase64url(bytes.subarray(0, next(8) ? bytes.length : next(bytes.length)));
      let found: Description;
      try {
        found = unpack(text);
      } catch (error) {
        expect(error).toBeInstanceOf(BadDescription);
        continue;
      }
      read += 1;
      const lines = toSdp(found).sdp!.split("\r\n");
      const again = fromSdp(toSdp(found) as { type: string; sdp: string });
      const clean = lines.every((line) => /^([a-z]=[\x20-\x7e]+)?$/.test(line));
      if (!clean || lines.length !== 15 + found.candidates.length || pack(again) !== pack(found)) expect.fail(text);
    }
    expect(read).toBeGreaterThan(500);
  });
});
