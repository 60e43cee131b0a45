/**
 * Session descriptions of WebRTC in a short binary form, for links and QR codes. Only what differs between
 * two connections is kept; everything else is the same in each description of a data channel.
 */

export interface Candidate {
  kind: "host" | "srflx" | "relay";
  /** An IPv4 or IPv6 address, or a name that the browser made up for its own (`….local`, mDNS). */
  address: string;
  port: number;
}

export interface Description {
  type: "offer" | "answer";
  ufrag: string;
  pwd: string;
  /** The SHA-256 of the certificate: nobody else can be at the other end. */
  fingerprint: Uint8Array;
  candidates: Candidate[];
}

export class BadDescription extends Error {}

const VERSION = 1;
const TYPES = ["offer", "answer"] as const;
const KINDS = ["host", "srflx", "relay"] as const;
const PREFERENCES = { host: 126, srflx: 100, relay: 0 };
/** The lengths of addresses in bytes: mDNS names (a UUID), IPv4, IPv6. */
const ADDRESS_BYTES = [16, 4, 16] as const;
const FINGERPRINT_BYTES = 32;
const MOST_CANDIDATES = 8;
const UFRAG = /^[A-Za-z0-9+/]{4,32}$/;
const PWD = /^[A-Za-z0-9+/]{22,64}$/;
/** The longest text that is read: far more than any description. */
export const LONGEST = 600;

const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\.local$/i;
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

const hexBytes = (hex: string): number[] => hex.match(/../g)!.map((pair) => parseInt(pair, 16));
const hex = (bytes: Iterable<number>): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Throws `BadDescription`. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new BadDescription("not base64url");
  try {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw new BadDescription("not base64url");
  }
}

// ---- addresses -----------------------------------------------------------------------------------

/** The form and the bytes of an address; null if it has another form. */
function addressBytes(address: string): [form: number, bytes: number[]] | null {
  const name = UUID.exec(address);
  if (name) return [0, hexBytes(name.slice(1).join(""))];
  if (IPV4.test(address)) {
    const bytes = address.split(".").map(Number);
    return bytes.every((byte) => byte < 256) ? [1, bytes] : null;
  }
  const bytes = ipv6Bytes(address);
  return bytes ? [2, bytes] : null;
}

function ipv6Bytes(address: string): number[] | null {
  const halves = address.split("::");
  if (halves.length > 2 || !address.includes(":")) return null;
  const [before, after] = halves.map((half) => (half ? half.split(":") : [])) as [string[], string[] | undefined];
  const missing = 8 - before.length - (after?.length ?? 0);
  if (after ? missing < 1 : missing !== 0) return null;
  const groups = [...before, ...Array<string>(after ? missing : 0).fill("0"), ...(after ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.flatMap((group) => hexBytes(group.padStart(4, "0")));
}

function addressText(form: number, bytes: Uint8Array): string {
  if (form === 1) return bytes.join(".");
  const digits = hex(bytes);
  if (form === 2) return digits.match(/.{4}/g)!.map((group) => group.replace(/^0{1,3}/, "")).join(":");
  return `${digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}.local`;
}

// ---- the binary form -----------------------------------------------------------------------------

export function pack({ type, ufrag, pwd, fingerprint, candidates }: Description): string {
  const letters = (text: string) => [text.length, ...text].map((each) => (typeof each === "number" ? each : each.charCodeAt(0)));
  const bytes = [VERSION, TYPES.indexOf(type), ...letters(ufrag), ...letters(pwd), ...fingerprint];
  for (const { kind, address, port } of candidates.slice(0, MOST_CANDIDATES)) {
    const found = addressBytes(address);
    if (found) bytes.push((KINDS.indexOf(kind) << 4) | found[0], port >> 8, port & 255, ...found[1]);
  }
  return toBase64url(Uint8Array.from(bytes));
}

/** Reads the bytes of a description in order. */
class Reader {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get done(): boolean {
    return this.#at === this.bytes.length;
  }

  take(count: number): Uint8Array {
    if (this.#at + count > this.bytes.length) throw new BadDescription("too short");
    this.#at += count;
    return this.bytes.slice(this.#at - count, this.#at);
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  text(form: RegExp): string {
    const text = String.fromCharCode(...this.take(this.byte()));
    if (!form.test(text)) throw new BadDescription("not the letters of a description");
    return text;
  }
}

/** Throws `BadDescription`. */
export function unpack(text: string): Description {
  if (text.length > LONGEST) throw new BadDescription("too long");
  const reader = new Reader(fromBase64url(text));
  if (reader.byte() !== VERSION) throw new BadDescription("another version");
  const type = TYPES[reader.byte()];
  if (!type) throw new BadDescription("neither offer nor answer");
  const description: Description = {
    type,
    ufrag: reader.text(UFRAG),
    pwd: reader.text(PWD),
    fingerprint: reader.take(FINGERPRINT_BYTES),
    candidates: [],
  };
  while (!reader.done) {
    if (description.candidates.length === MOST_CANDIDATES) throw new BadDescription("too many candidates");
    description.candidates.push(readCandidate(reader));
  }
  return description;
}

function readCandidate(reader: Reader): Candidate {
  const forms = reader.byte();
  const [kind, length] = [KINDS[forms >> 4], ADDRESS_BYTES[forms & 15]];
  if (!kind || !length) throw new BadDescription("no such candidate");
  const port = (reader.byte() << 8) | reader.byte();
  if (port === 0) throw new BadDescription("no port");
  return { kind, port, address: addressText(forms & 15, reader.take(length)) };
}

// ---- SDP -----------------------------------------------------------------------------------------

/** The description in a browser's SDP. Throws `BadDescription` if a part is missing. */
export function fromSdp({ type, sdp = "" }: { type: string; sdp?: string }): Description {
  const [ufrag, pwd, print] = ["ice-ufrag:", "ice-pwd:", "fingerprint:sha-256 "].map(
    (name) => new RegExp(`^a=${name}(.*?)\\s*$`, "im").exec(sdp)?.[1] ?? "",
  ) as [string, string, string];
  const fingerprint = Uint8Array.from(print.split(":"), (pair) => parseInt(pair, 16));
  const known = TYPES.find((each) => each === type);
  if (!known || !UFRAG.test(ufrag) || !PWD.test(pwd) || fingerprint.length !== FINGERPRINT_BYTES)
    throw new BadDescription("not the description of a data channel");
  const candidates: Candidate[] = [];
  for (const [, address, port, kind] of sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (\S+)/gim)) {
    const found = KINDS.find((each) => each === kind);
    const form = addressBytes(address!);
    if (found && form) candidates.push({ kind: found, address: addressText(form[0], Uint8Array.from(form[1])), port: Number(port) });
  }
  return { type: known, ufrag, pwd, fingerprint, candidates };
}

export function toSdp({ type, ufrag, pwd, fingerprint, candidates }: Description): RTCSessionDescriptionInit {
  const lines = [
    "v=0",
    "o=- 1 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    ...candidates.map(({ kind, address, port }, index) => {
      const priority = PREFERENCES[kind] * 2 ** 24 + (65_535 - index) * 256 + 255;
      const related = kind === "host" ? "" : " raddr 0.0.0.0 rport 9";
      return `a=candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ ${kind}${related}`;
    }),
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    `a=fingerprint:sha-256 ${hex(fingerprint).toUpperCase().match(/../g)!.join(":")}`,
    `a=setup:${type === "offer" ? "actpass" : "active"}`,
    "a=mid:0",
    "a=sctp-port:5000",
    "a=max-message-size:65536",
    "",
  ];
  return { type, sdp: lines.join("\r\n") };
}
