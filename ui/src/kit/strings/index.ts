import { en } from './en';

/** A sentence, or its plural forms chosen by `n`. Placeholders are `{name}`. */
export type Entry = string | { readonly one: string; readonly other: string };

type Catalogue = typeof en;
export type Key = keyof Catalogue;

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Forms<E> = E extends { one: infer One; other: infer Other } ? Names<One> | Names<Other> | 'n' : Names<E>;
type Params<K extends Key> = Forms<Catalogue[K]>;

/** A key whose sentence takes nothing. */
export type PlainKey = { [K in Key]: [Params<K>] extends [never] ? K : never }[Key];

const plural = new Intl.PluralRules('en');

/** The words for a key, in the person's language; parameters are checked against the sentence. */
export function t<K extends Key>(
  key: K,
  ...rest: [Params<K>] extends [never] ? [] : [params: Record<Params<K>, string | number>]
): string {
  const entry: Entry = en[key];
  const params = (rest[0] ?? {}) as Record<string, string | number>;
  const form =
    typeof entry === 'string' ? entry : entry[plural.select(Number(params['n'])) === 'one' ? 'one' : 'other'];
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
