/** Reads the colours of a theme from the style sheet. */
import css from "../src/look/colours.css?raw";

export type Theme = "light" | "dark";

export function colours(theme: Theme): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, light, dark] of css.matchAll(/--([\w-]+):\s*light-dark\((#\w+),\s*(#\w+)\)/g))
    found.set(name!, theme === "light" ? light! : dark!);
  return found;
}

function luminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * channels[0]! + 0.7152 * channels[1]! + 0.0722 * channels[2]!;
}

/** Returns the WCAG contrast ratio, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}
