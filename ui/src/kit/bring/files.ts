import type { PlainKey } from '../strings';

/** The maximum number of files at a time. */
export const FILES_MAX = 100;

/** Importable kinds of files, by file extension. */
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
  /** The kind of file; null if it cannot be imported. */
  kind: PlainKey | null;
}

/** Determines the kind of each file. A name without an extension may be an exported folder; the engine checks. */
export function sortOut(paths: readonly string[]): Brought[] {
  return [...new Set(paths)].slice(0, FILES_MAX).map((path) => {
    const name = path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
    const end = /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
    const kind = end === undefined ? 'bring.folder' : Object.hasOwn(KINDS, end) ? (KINDS[end] ?? null) : null;
    return { path, name, kind };
  });
}
