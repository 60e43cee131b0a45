/**
 * Meeting through a signalling server: it forwards sealed offers and answers between the guests and the host
 * of a room. The room's key is in the link, so the server cannot read them; only the host knows the secret
 * that the room's name is made from, so nobody else can answer as the host.
 */
import { fromBase64url, toBase64url } from "./description";

const BYTES = 16;
const IV_BYTES = 12;
const WAITS = [1_000, 2_000, 5_000, 10_000, 20_000];

export interface RoomSecrets {
  secret: string;
  key: string;
}

type Bytes = Uint8Array<ArrayBuffer>;

const random = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(BYTES)));

export const newRoom = (): RoomSecrets => ({ secret: random(), key: random() });

/** The public name of a room. */
export async function nameOf({ secret }: RoomSecrets): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", fromBase64url(secret));
  return toBase64url(new Uint8Array(digest).slice(0, BYTES));
}

/** The part of a link that leads guests to a room: its name and key. */
export const roomMark = async (room: RoomSecrets): Promise<string> => `${await nameOf(room)}.${room.key}`;

export const ROOM_MARK = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})$/;

// ---- sealing -------------------------------------------------------------------------------------

type Sender = "guest" | "host";

const importKey = (key: string) => crypto.subtle.importKey("raw", fromBase64url(key), "AES-GCM", false, ["encrypt", "decrypt"]);
/** Binds a sealed message to its room and sender, so that it cannot be sent back or elsewhere. */
const context = (room: string, from: Sender): Bytes => new TextEncoder().encode(`archipel ${room} ${from}`);

export async function seal(content: unknown, room: string, key: string, from: Sender): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const parameters = { name: "AES-GCM", iv, additionalData: context(room, from) };
  const plain = new TextEncoder().encode(JSON.stringify(content));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters, await importKey(key), plain));
  return toBase64url(Uint8Array.from([...iv, ...sealed]));
}

/** Rejects if it was not sealed with this key by this side of this room. */
export async function unseal(text: string, room: string, key: string, from: Sender): Promise<unknown> {
  const bytes = fromBase64url(text);
  const parameters = { name: "AES-GCM", iv: bytes.slice(0, IV_BYTES), additionalData: context(room, from) };
  const plain = await crypto.subtle.decrypt(parameters, await importKey(key), bytes.slice(IV_BYTES));
  return JSON.parse(new TextDecoder().decode(plain));
}

// ---- sockets -------------------------------------------------------------------------------------

type FromServer = { type: "sealed"; sealed: string; guest?: number } | { type: "host_here" } | { type: "host_away" } | { type: "refused" };

const addressOf = (signalling: string, room: string) => `${signalling.replace(/^http/, "ws")}/api/rendezvous/${room}`;

/** A guest's way to the host: send an offer once the host is there, and return its answer. */
export async function meetHost(
  signalling: string,
  mark: string,
  offer: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const [, room, key] = ROOM_MARK.exec(mark)!;
  const socket = new WebSocket(addressOf(signalling, room!));
  signal.addEventListener("abort", () => socket.close());
  try {
    return await new Promise((resolve, reject) => {
      socket.onopen = () => socket.send('{"type":"guest"}');
      socket.onclose = () => reject(new Error("the signalling server closed"));
      socket.onmessage = async ({ data }) => {
        const message = JSON.parse(String(data)) as FromServer;
        if (message.type === "host_here") socket.send(JSON.stringify({ type: "sealed", sealed: await seal(offer, room!, key!, "guest") }));
        else if (message.type === "sealed") unseal(message.sealed, room!, key!, "host").then(resolve, () => undefined);
      };
    });
  } finally {
    socket.close();
  }
}

/** Answers the offers of guests for as long as the page is open; returns a function that stops. */
export function answerGuests(signalling: string, room: RoomSecrets, answer: (offer: unknown) => Promise<unknown>): () => void {
  let stopped = false;
  let failures = 0;
  let socket: WebSocket | undefined;
  const start = async () => {
    const name = await nameOf(room);
    if (stopped) return;
    const opened = (socket = new WebSocket(addressOf(signalling, name)));
    opened.onopen = () => opened.send(JSON.stringify({ type: "host", secret: room.secret }));
    opened.onmessage = async ({ data }) => {
      failures = 0;
      const message = JSON.parse(String(data)) as FromServer;
      if (message.type !== "sealed") return;
      try {
        const answered = await answer(await unseal(message.sealed, name, room.key, "guest"));
        opened.send(JSON.stringify({ type: "sealed", guest: message.guest, sealed: await seal(answered, name, room.key, "host") }));
      } catch {
        // Not from somebody with the link.
      }
    };
    opened.onclose = () => {
      if (!stopped) setTimeout(() => void start(), WAITS[Math.min(failures++, WAITS.length - 1)]);
    };
  };
  void start();
  return () => {
    stopped = true;
    socket?.close();
  };
}
