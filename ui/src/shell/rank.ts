import { GROUPS, type Group } from './commands';
import { fold, fuzzy, WORD_START } from './fuzzy';

/** How well an option fits the typed text; lower comes first. */
export const FITS = { exact: 0, recent: 1, begins: 2, other: 3 } as const;
export type Fit = (typeof FITS)[keyof typeof FITS];

/**
 * An option that is called exactly what was typed comes first, then one that was opened lately and has the text at the
 * beginning of a word, then one that begins with it.
 */
export function fitOf(asked: string, name: string, isRecent: boolean): Fit {
  const [wanted, called] = [fold(asked.trim()), fold(name.trim())];
  if (wanted === '') return FITS.other;
  if (wanted === called) return FITS.exact;
  if (isRecent && (fuzzy(asked, name)?.score ?? 0) >= WORD_START) return FITS.recent;
  return called.startsWith(wanted) ? FITS.begins : FITS.other;
}

interface Ranked {
  group: Group;
  fit: Fit;
  match: { score: number };
}

/**
 * The options in order: whole groups, first one with an exact or recent option, otherwise as groups usually stand. An
 * answer stays above them. Within a group, the best fitting option is first. `placed` gives a group another place among groups that fit alike.
 */
export function ranked<T extends Ranked>(options: readonly T[], placed: (one: T) => number | null = () => null): T[] {
  const best = new Map<Group, Fit>();
  for (const { group, fit } of options) {
    if (fit === FITS.exact || fit === FITS.recent) best.set(group, Math.min(fit, best.get(group) ?? FITS.other) as Fit);
  }
  const fitting = ({ group }: T) => (group === 'answer' ? -1 : (best.get(group) ?? FITS.other));
  const place = (one: T) => placed(one) ?? GROUPS.indexOf(one.group);
  return [...options].sort(
    (a, b) => fitting(a) - fitting(b) || place(a) - place(b) || a.fit - b.fit || b.match.score - a.match.score,
  );
}
