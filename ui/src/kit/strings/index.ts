import type { en } from './en';
import { ask } from './en/ask';
import { bring } from './en/bring';
import { chat } from './en/chat';
import { common } from './en/common';
import { profile } from './en/profile';
import { shell } from './en/shell';
import { entryOf, words } from './words';

export type { Entry } from './words';

// What the first surface can say; all else comes with what says it.
[common, shell, chat, ask, bring, profile].forEach(words);

type Catalogue = typeof en;
export type Key = keyof Catalogue;

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Forms<E> = E extends { one: infer One; other: infer Other } ? Names<One> | Names<Other> | 'n' : Names<E>;
type Params<K extends Key> = Forms<Catalogue[K]>;

/** A key whose sentence takes nothing. */
export type PlainKey = { [K in Key]: [Params<K>] extends [never] ? K : never }[Key];

/** Made when the first plural is said: a start says none. */
let plural: Intl.PluralRules | null = null;
const pluralOf = (n: number) => (plural ??= new Intl.PluralRules('en')).select(n);

/** The words for a key, in the person's language; parameters are checked against the sentence. */
export function t<K extends Key>(
  key: K,
  ...rest: [Params<K>] extends [never] ? [] : [params: Record<Params<K>, string | number>]
): string {
  // Its name rather than nothing, for a part that was not loaded.
  const entry = entryOf(key) ?? key;
  const params = (rest[0] ?? {}) as Record<string, string | number>;
  const form = typeof entry === 'string' ? entry : entry[pluralOf(Number(params['n'])) === 'one' ? 'one' : 'other'];
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
