/** Figures as people write them here. */
import { settings } from "../lib/settings.svelte";

const whole = () => new Intl.NumberFormat(settings.language, { maximumFractionDigits: 0 });

/** Hundredths of a win. */
export const points = (part: number): string => whole().format(Math.abs(Math.round(100 * part)));

/** The same with its sign, a real minus. */
export function signed(part: number): string {
  const rounded = Math.round(100 * part);
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${points(part)}`;
}

/** How sure that is: a standard error of next to nothing is still one. */
export const doubt = (error: number): string => `\u00a0±\u00a0${whole().format(Math.ceil(100 * error))}`;
