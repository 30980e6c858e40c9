import type { en } from './en';
import { ask } from './en/ask';
import { bring } from './en/bring';
import { chat } from './en/chat';
import { common } from './en/common';
import { profile } from './en/profile';
import { shell } from './en/shell';
import { entryOf, words } from './words';

export type { Entry } from './words';

// The words of the first surface; other surfaces load their own.
[common, shell, chat, ask, bring, profile].forEach(words);

type Catalogue = typeof en;
export type Key = keyof Catalogue;

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Forms<E> = E extends { one: infer One; other: infer Other } ? Names<One> | Names<Other> | 'n' : Names<E>;
type Params<K extends Key> = Forms<Catalogue[K]>;

/** A key whose sentence takes no parameters. */
export type PlainKey = { [K in Key]: [Params<K>] extends [never] ? K : never }[Key];

/** Created on the first plural, because the start needs none. */
let plural: Intl.PluralRules | null = null;
const pluralOf = (n: number) => (plural ??= new Intl.PluralRules('en')).select(n);

/** The text for a key, in the catalogue's language; the sentence determines which parameters it takes. */
export function t<K extends Key>(
  key: K,
  ...rest: [Params<K>] extends [never] ? [] : [params: Record<Params<K>, string | number>]
): string {
  // Show the key rather than nothing if its part was not loaded.
  const entry = entryOf(key) ?? key;
  const params = (rest[0] ?? {}) as Record<string, string | number>;
  const form = typeof entry === 'string' ? entry : entry[pluralOf(Number(params['n'])) === 'one' ? 'one' : 'other'];
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
