/** Chances corrected by what became of such positions: as in `analysis/correction.py`. */
export interface Correction {
  power: number;
  floor: number;
}

const isNone = ({ power, floor }: Correction) => power === 1 && floor === 0;

export function corrected(correction: Correction, chances: readonly number[]): number[] {
  const { power, floor } = correction;
  if (isNone(correction) || chances.filter((chance) => chance > 0).length === 1) return [...chances];
  const raised = chances.map((chance) => (Math.max(0, chance) + floor) ** power);
  const whole = raised.reduce((total, chance) => total + chance, 0);
  return whole > 0 ? raised.map((chance) => chance / whole) : [...chances];
}

/** How much a seat's corrected chance changes with its chance: errors are stretched as much. */
export function slopeAt(correction: Correction, chances: readonly number[], seat: number): number {
  const { power, floor } = correction;
  if (isNone(correction)) return 1;
  const before = chances[seat]! + floor;
  const after = corrected(correction, chances)[seat]!;
  const all = chances.reduce((total, chance) => total + chance, 0);
  const rest = Math.max(1e-9, all - chances[seat]! + floor * (chances.length - 1));
  return power * after * (1 - after) * (1 / Math.max(1e-9, before) + 1 / rest);
}

/** A seat's chance and its error where nothing is known of the others but how many there are: they are taken to share the
 * rest alike, which is nearly as good (`docs/studies/calibration.md`). */
export function correctedAlone(correction: Correction, chance: number, error: number, seats: number): { chance: number; error: number } {
  const all = [chance, ...Array.from({ length: seats - 1 }, () => (1 - chance) / (seats - 1))];
  return { chance: corrected(correction, all)[0]!, error: error * slopeAt(correction, all, 0) };
}
