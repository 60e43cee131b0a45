/** A few short, synthesized sounds. */
import type { Cue } from "../board/face";

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

/** The gain at full volume. */
const LOUDEST = 0.18;

/** Plays a sound at a volume from 0 to 1. */
export function play(cue: Cue, loudness: number): void {
  if (typeof AudioContext === "undefined" || loudness <= 0) return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  for (const [frequency, after, lasts] of CUES[cue]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = cue === "breath" ? "triangle" : "sine";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, now + after);
    volume.gain.linearRampToValueAtTime(LOUDEST * loudness, now + after + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + after + lasts);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + after);
    tone.stop(now + after + lasts + 0.02);
  }
}
