/** Push messages to this device. */
import type { NoticeSettings } from "../generated/messages";
import { encoded, own } from "./identity";

/** "install": the system allows push only to pages on the home screen; "no": the browser has none, or the user
 * refused. */
export type PushState = "yes" | "install" | "no";

export function pushState(): PushState {
  if ("PushManager" in window && "serviceWorker" in navigator) return Notification.permission === "denied" ? "no" : "yes";
  return (navigator as { standalone?: boolean }).standalone === false ? "install" : "no";
}

const bytes = (text: string) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

/** Subscribe this device; null if the user refused. */
export async function subscribe(key: string): Promise<NoticeSettings | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const registration = await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  return own<NoticeSettings>("/api/profile/channel", {
    kind: "push",
    address: made.endpoint,
    point: encoded(made.getKey("p256dh")!),
    auth: encoded(made.getKey("auth")!),
  });
}

/** Stop push messages to this device. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
}
