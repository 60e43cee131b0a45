/** Telling somebody who looks elsewhere that it is their turn. */
import type { Cue } from "../board/face";
import { settings } from "./settings.svelte";

const PLAIN_ICON = "/icon.svg";
const TURN_ICON = "/icon-turn.svg";

export function showTitle(text: string, turn: boolean): void {
  document.title = turn ? `● ${text}` : text;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = turn ? TURN_ICON : PLAIN_ICON;
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}

/** Browsers show notifications on HTTPS and localhost only: elsewhere they are not offered. */
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
    // Some phones want a service worker for it; the title and the icon still tell.
  }
}

// ---- sound: a few short, soft cues, made on the spot ----------------------------------------------

let audio: AudioContext | undefined;

const CUES: Record<Cue, readonly [frequency: number, after: number, lasts: number][]> = {
  step: [[330, 0, 0.06]],
  dice: [
    [620, 0, 0.03],
    [540, 0.07, 0.03],
    [700, 0.13, 0.04],
  ],
  breath: [[180, 0, 0.25]],
  take: [
    [440, 0, 0.07],
    [660, 0.08, 0.1],
  ],
  home: [
    [392, 0, 0.1],
    [523, 0.1, 0.1],
    [659, 0.2, 0.18],
  ],
  lost: [
    [294, 0, 0.15],
    [220, 0.15, 0.3],
  ],
  end: [
    [523, 0, 0.15],
    [659, 0.15, 0.15],
    [784, 0.3, 0.35],
  ],
  turn: [
    [587, 0, 0.1],
    [784, 0.12, 0.18],
  ],
};

export function sound(cue: Cue): void {
  if (!settings.sound || typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  for (const [frequency, after, lasts] of CUES[cue]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = cue === "breath" ? "triangle" : "sine";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, now + after);
    volume.gain.linearRampToValueAtTime(0.09, now + after + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + after + lasts);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + after);
    tone.stop(now + after + lasts + 0.02);
  }
}
