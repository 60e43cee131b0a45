/** One WebRTC connection with one data channel. */
import { fromSdp, toSdp, type Description } from "./description";
import { Framing, type Channel } from "./framing";

/** How an end of a connection is recognized by the other, also after its page was reloaded. */
export interface Credentials {
  certificate: RTCCertificate;
  ufrag: string;
  pwd: string;
}

/** For gathering addresses; those that are found later are left out. */
const GATHER = 2_000;
/** For an answer from the other end's address, then for the channel. */
const ANSWERS = 5_000;
const OPENS = 15_000;
/** How long a connection may be interrupted before it counts as lost. */
const INTERRUPTED = 4_000;
const YEAR = 365 * 24 * 3600 * 1000;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const letters = (count: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => LETTERS[byte % 64]).join("");

export async function newCredentials(): Promise<Credentials> {
  const kind = { name: "ECDSA", namedCurve: "P-256", expires: YEAR };
  const certificate = await RTCPeerConnection.generateCertificate(kind);
  return { certificate, ufrag: letters(8), pwd: letters(24) };
}

/** The credentials as an answer that an end can expect. */
export function expectedAnswer({ certificate, ufrag, pwd }: Credentials): Description {
  const print = certificate.getFingerprints().find(({ algorithm }) => algorithm === "sha-256")!.value!;
  const fingerprint = Uint8Array.from(print.split(":"), (pair) => parseInt(pair, 16));
  return { type: "answer", ufrag, pwd, fingerprint, candidates: [] };
}

/** A connection that is not open yet. */
export class Pending {
  readonly #connection: RTCPeerConnection;
  readonly #channel: RTCDataChannel;
  readonly framing: Framing;
  /** Messages that arrive before anybody listens: the other end may be ready earlier. */
  #early: unknown[] = [];
  #receive: ((message: unknown) => void) | null = null;

  /** `largest`: the largest message that is accepted, in bytes. */
  constructor(
    private readonly credentials: Credentials,
    servers: RTCIceServer[],
    largest: number,
  ) {
    this.#connection = new RTCPeerConnection({ certificates: [credentials.certificate], iceServers: servers });
    this.#channel = this.#connection.createDataChannel("archipel", { negotiated: true, id: 0 });
    this.framing = new Framing(this.#channel as unknown as Channel, largest, (message) => {
      if (this.#receive) this.#receive(message);
      else this.#early.push(message);
    });
  }

  /** Pass on all messages, from the first. */
  listen(receive: (message: unknown) => void): void {
    this.#receive = receive;
    this.#early.splice(0).forEach(receive);
  }

  async offer(): Promise<Description> {
    await this.#connection.setLocalDescription(await this.#connection.createOffer());
    return this.gathered();
  }

  async expect(answer: Description): Promise<void> {
    await this.#connection.setRemoteDescription(toSdp(answer));
  }

  /** Answer with our own credentials, so that the other end can have expected the answer. */
  async answer(offer: Description): Promise<void> {
    await this.#connection.setRemoteDescription(toSdp(offer));
    const { ufrag, pwd } = this.credentials;
    const { sdp = "" } = await this.#connection.createAnswer();
    const own = sdp.replace(/^(a=ice-ufrag:).*$/m, `$1${ufrag}`).replace(/^(a=ice-pwd:).*$/m, `$1${pwd}`);
    await this.#connection
      .setLocalDescription({ type: "answer", sdp: own })
      // A browser that insists on its own: this time the answer must be handed over.
      .catch(() => this.#connection.setLocalDescription({ type: "answer", sdp }));
  }

  /** The own description with its addresses, to hand over. */
  async gathered(): Promise<Description> {
    const connection = this.#connection;
    await new Promise<void>((resolve) => {
      const check = () => connection.iceGatheringState === "complete" && resolve();
      connection.addEventListener("icegatheringstatechange", check);
      setTimeout(resolve, GATHER);
      check();
    });
    return fromSdp(connection.localDescription!);
  }

  /** The open connection. `patient`: wait for as long as it takes, else reject when nobody answers. */
  async opened(patient: boolean): Promise<RTCDataChannel & { connection: RTCPeerConnection }> {
    const [connection, channel] = [this.#connection, this.#channel];
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error("no connection"));
      const answered = () => ["connected", "completed"].includes(connection.iceConnectionState);
      channel.addEventListener("open", () => resolve());
      channel.addEventListener("close", fail);
      connection.addEventListener("connectionstatechange", () => {
        if (["failed", "closed"].includes(connection.connectionState)) fail();
      });
      if (!patient) setTimeout(() => (answered() ? setTimeout(fail, OPENS) : fail()), ANSWERS);
      if (channel.readyState === "open") resolve();
    });
    return Object.assign(channel, { connection });
  }

  close(): void {
    this.#channel.close();
    this.#connection.close();
  }
}

/** An open connection: whole messages in both directions until it is lost. */
export class Link {
  #interrupted: ReturnType<typeof setTimeout> | undefined;
  #lost = false;

  constructor(
    private readonly pending: Pending,
    channel: RTCDataChannel & { connection: RTCPeerConnection },
    private readonly lost: () => void,
  ) {
    const { connection } = channel;
    channel.addEventListener("close", () => this.#lose());
    connection.addEventListener("connectionstatechange", () => {
      clearTimeout(this.#interrupted);
      if (connection.connectionState === "failed") this.#lose();
      else if (connection.connectionState === "disconnected") this.#interrupted = setTimeout(() => this.#lose(), INTERRUPTED);
    });
  }

  listen(receive: (message: unknown) => void): void {
    this.pending.listen((message) => {
      if (!this.#lost) receive(message);
    });
  }

  send(message: unknown): void {
    if (!this.#lost) this.pending.framing.send(message);
  }

  /** Without a call of `lost`. */
  close(): void {
    this.#lost = true;
    clearTimeout(this.#interrupted);
    this.pending.close();
  }

  #lose(): void {
    if (this.#lost) return;
    this.close();
    this.lost();
  }
}
