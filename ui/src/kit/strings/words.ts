/** A sentence, or its plural forms selected by `n`. Placeholders look like `{name}`. */
export type Entry = string | { readonly one: string; readonly other: string };

const known: Record<string, Entry> = {};

/**
 * Registers a part of the catalogue together with the components that use it, so that the start does not load the words
 * of every surface. A component that uses a key must import its file; a test checks this.
 */
export function words<const Part extends Record<string, Entry>>(part: Part): Part {
  Object.assign(known, part);
  return part;
}

/** The entry of a key; undefined if its part has not been loaded. */
export function entryOf(key: string): Entry | undefined {
  return known[key];
}
