import type { PlainKey } from '../strings';

/** Files that are taken at a time. */
export const FILES_MAX = 100;

/** What can be brought in, by the end of its name. */
const KINDS: Record<string, PlainKey> = {
  ics: 'bring.ics',
  mbox: 'bring.mbox',
  eml: 'bring.eml',
  vcf: 'bring.vcf',
  csv: 'bring.csv',
  md: 'bring.md',
  json: 'bring.keep',
};

export interface Brought {
  path: string;
  name: string;
  /** What it is; null when it cannot be brought in. */
  kind: PlainKey | null;
}

/** What each file is. A name without an end may be a folder made by an export; the engine knows. */
export function sortOut(paths: readonly string[]): Brought[] {
  return [...new Set(paths)].slice(0, FILES_MAX).map((path) => {
    const name = path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
    const end = /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
    const kind = end === undefined ? 'bring.folder' : Object.hasOwn(KINDS, end) ? (KINDS[end] ?? null) : null;
    return { path, name, kind };
  });
}
