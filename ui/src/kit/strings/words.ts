/** A sentence, or its plural forms chosen by `n`. Placeholders are `{name}`. */
export type Entry = string | { readonly one: string; readonly other: string };

const known: Record<string, Entry> = {};

/**
 * A part of the catalogue that comes with the components that say it, so that a start does not load the words of every
 * surface. Whoever uses one of its keys imports its file; a test refuses it otherwise.
 */
export function words<const Part extends Record<string, Entry>>(part: Part): Part {
  Object.assign(known, part);
  return part;
}

/** The entry of a key; undefined when its part was not loaded. */
export function entryOf(key: string): Entry | undefined {
  return known[key];
}
