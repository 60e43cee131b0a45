/** Notifies players in another window that it is their turn. */
import { fileAt } from "./addresses";
import { settings } from "./settings.svelte";

const PLAIN_ICON = fileAt("/icon.svg");
const TURN_ICON = fileAt("/icon-turn.svg");

export function showTitle(text: string, turn: boolean): void {
  document.title = turn ? `● ${text}` : text;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = turn ? TURN_ICON : PLAIN_ICON;
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}

/** Whether notifications are available: browsers need HTTPS or localhost. */
export function canNotify(): boolean {
  return window.isSecureContext && "Notification" in window;
}

export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

export function notify(title: string, body: string): void {
  if (!settings.notifications || !canNotify() || Notification.permission !== "granted") return;
  if (!document.hidden) return;
  try {
    new Notification(title, { body, tag: "turn", icon: "/icon-192.png" });
  } catch {
    // Some phones need a service worker; the title and the icon still change.
  }
}
