/** The key of this device, which no script can read, and what it proves: sessions and requests of the profile. */
import type { Code, Problem, Proof, Session } from "../generated/messages";
import { RequestError } from "../lib/http";
import { noteProfile } from "../lib/profile";
import { settings } from "../lib/settings.svelte";
import { keptTables } from "../lib/tables";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };

// ---- the key ------------------------------------------------------------------------------------------

function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's database failed"));
  });
}

async function stored<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open("archipel-profile", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  const database = await finished(opening);
  try {
    return await finished(work(database.transaction("keys", mode).objectStore("keys")));
  } finally {
    database.close();
  }
}

async function keyPair(): Promise<CryptoKeyPair> {
  const known = await stored<CryptoKeyPair | undefined>("readonly", (store) => store.get("device"));
  if (known) return known;
  const made = await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
  await stored("readwrite", (store) => store.put(made, "device"));
  return made;
}

/** Forget the profile on this device. */
export async function forget(): Promise<void> {
  current = null;
  noteProfile(false);
  await stored("readwrite", (store) => store.delete("device"));
}

export function encoded(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export async function proofOf(challenge: string): Promise<Proof> {
  const { privateKey, publicKey } = await keyPair();
  const text = new TextEncoder().encode(`archipel-profile\n${challenge}`);
  const [raw, signature] = await Promise.all([
    crypto.subtle.exportKey("raw", publicKey),
    crypto.subtle.sign(SIGNATURE, privateKey, text),
  ]);
  return { challenge, public: encoded(raw), signature: encoded(signature) };
}

export const proof = async (): Promise<Proof> =>
  proofOf((await ask<{ challenge: string }>("/api/profile/challenge", {})).challenge);

// ---- requests -----------------------------------------------------------------------------------------

/** A request to the server: a POST if there is a body. Throws `RequestError`. */
export async function ask<T>(path: string, body?: unknown, token?: string): Promise<T> {
  const response = await fetch(path, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: {
      "Accept-Language": settings.language,
      "Content-Type": "application/json",
      ...(token ? { "Archipel-Session": token } : {}),
    },
  }).catch(() => {
    throw new RequestError({ code: "unreachable", message: "" });
  });
  const content: unknown = await response.json().catch(() => null);
  if (response.ok) return content as T;
  throw new RequestError((content as Problem | null) ?? { code: `http_${response.status}`, message: "" });
}

let current: Session | null = null;
let beginning: Promise<Session> | null = null;

/** The session of this device, renewed in time. Throws `RequestError`; a device that was removed forgets its profile. */
export function session(): Promise<Session> {
  if (current && current.until - Date.now() / 1000 > 60) return Promise.resolve(current);
  beginning ??= begin().finally(() => (beginning = null));
  return beginning;
}

async function begin(): Promise<Session> {
  try {
    return keep(await ask<Session>("/api/profile/session", { proof: await proof() }));
  } catch (error) {
    if (error instanceof RequestError && error.problem.code === "unknown_device") await forget();
    throw error;
  }
}

function keep(session: Session): Session {
  current = session;
  noteProfile(true);
  return session;
}

/** A request about one's own profile. */
export async function own<T>(path: string, body?: unknown): Promise<T> {
  const { token } = await session();
  try {
    return await ask<T>(path, body, token);
  } catch (error) {
    // The session ended early, for instance because the server restored a backup: once more with a new one.
    if (!(error instanceof RequestError) || error.problem.code !== "not_signed_in") throw error;
    current = null;
    return ask<T>(path, body, (await session()).token);
  }
}

// ---- becoming a device of a profile -------------------------------------------------------------------

/** What this device is called in the list of devices. */
export function deviceName(agent = navigator.userAgent): string {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(agent)?.[0] ?? "";
  const system = /Android|iPhone|iPad|Windows|Mac OS|CrOS|Linux/.exec(agent)?.[0] ?? "";
  const called: Record<string, string> = { Edg: "Edge", OPR: "Opera", "Mac OS": "macOS", CrOS: "ChromeOS" };
  return [browser, system].filter(Boolean).map((name) => called[name] ?? name).join(", ");
}

/** The profile also gets the seats that this device has, except those that it is known to have. Returns whether
 * there were any. */
export async function claimSeats(known: readonly string[] = []): Promise<boolean> {
  const others = Object.entries(keptTables()).filter(([table, { token, over, lesson }]) => token && !over && !lesson && !known.includes(table));
  let any = false;
  for (const [table, { token }] of others)
    any = await own("/api/profile/seat", { table, token }).then(() => true, () => any);
  return any;
}

async function join(path: string, fields: object, challenge?: string): Promise<void> {
  const given = challenge === undefined ? await proof() : await proofOf(challenge);
  try {
    keep(await ask<Session>(path, { proof: given, label: deviceName(), ...fields }));
  } catch (error) {
    if (!(error instanceof RequestError) || error.problem.code !== "known_device") throw error;
    // The answer to an earlier attempt was lost.
    await session();
  }
  await claimSeats();
}

export const create = (name: string, colour: string): Promise<void> =>
  join("/api/profile", { name, colour, language: settings.language });
export const useCode = (code: string): Promise<void> => join("/api/profile/device", { code });
export const newCode = (kind: "move" | "recovery"): Promise<Code> => own<Code>(`/api/profile/${kind}`, {});

// ---- passkeys -----------------------------------------------------------------------------------------

/** What the types of TypeScript do not know yet. */
interface PasskeyTools {
  parseCreationOptionsFromJSON(options: unknown): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON(options: unknown): PublicKeyCredentialRequestOptions;
}
const tools = (): PasskeyTools => PublicKeyCredential as unknown as PasskeyTools;

/** Browsers offer passkeys for names, not for addresses of machines. */
export const canUsePasskeys = (): boolean =>
  "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential && !/^[\d.]+$|^\[/.test(location.hostname);

export async function addPasskey(): Promise<void> {
  const { options } = await own<{ options: string }>("/api/profile/passkey/options", {});
  const parsed = JSON.parse(options) as { challenge: string };
  const made = await navigator.credentials.create({ publicKey: tools().parseCreationOptionsFromJSON(parsed) });
  await own("/api/profile/passkey", { answer: JSON.stringify(made), challenge: parsed.challenge, label: deviceName() });
}

export async function usePasskey(): Promise<void> {
  const { options } = await ask<{ options: string }>("/api/profile/passkey/challenge", {});
  const parsed = JSON.parse(options) as { challenge: string };
  const given = await navigator.credentials.get({ publicKey: tools().parseRequestOptionsFromJSON(parsed) });
  await join("/api/profile/passkey/device", { answer: JSON.stringify(given) }, parsed.challenge);
}
