/** Numbers formatted for the current language. */
import { settings } from "../lib/settings.svelte";

const whole = () => new Intl.NumberFormat(settings.language, { maximumFractionDigits: 0 });

/** Hundredths of a win. */
export const points = (part: number): string => whole().format(Math.abs(Math.round(100 * part)));

/** With a sign, and a typographic minus. */
export function signed(part: number): string {
  const rounded = Math.round(100 * part);
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${points(part)}`;
}

/** The standard error, at least 1. */
export const doubt = (error: number): string => `\u00a0±\u00a0${whole().format(Math.ceil(100 * error))}`;
