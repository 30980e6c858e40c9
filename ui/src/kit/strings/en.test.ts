import { describe, expect, it } from 'vitest';
import { en } from './en';

// Files are spread one over the other: a key that two of them have would lose the words of the first without a word.
const files = import.meta.glob<Record<string, Record<string, unknown>>>('./en/*.ts', { eager: true });
const keys = Object.entries(files).flatMap(([file, exported]) =>
  Object.values(exported).flatMap((part) => Object.keys(part).map((key) => ({ file, key }))),
);

describe('the catalogue', () => {
  it('has each key once', () => {
    const first = new Map<string, string>();
    const twice = keys.flatMap(({ file, key }) => {
      const before = first.get(key);
      first.set(key, file);
      return before === undefined ? [] : [`${key}: ${before} and ${file}`];
    });
    expect(twice).toEqual([]);
  });

  it('has every file', () => {
    expect(keys.length).toBe(Object.keys(en).length);
    expect(keys.filter(({ key }) => !(key in en))).toEqual([]);
  });

  it('has the forms of a number wherever a noun follows it', () => {
    // Never one: the most files of a mail, and what waits where it is more than one.
    const always = ['mail.files_max', 'chat.yes_many'];
    const counted = /\{(n|of|count|total|questions|searches|pages|days)\} [a-z]{2,}s\b/;
    const single = Object.entries<unknown>(en).filter(([, entry]) => typeof entry === 'string' && counted.test(entry));
    expect(single.map(([key]) => key).filter((key) => !always.includes(key))).toEqual([]);
  });
});
