import { describe, expect, it } from 'vitest';
import { en } from './en';

// `en` spreads these files into one object: if two files had the same key, one would silently override the other.
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
    // The number in these is never one: the attachment limit, and a count of waiting actions that is at least two.
    const always = ['mail.files_max', 'chat.yes_many'];
    const counted = /\{(n|of|count|total|questions|searches|pages|days)\} [a-z]{2,}s\b/;
    const single = Object.entries<unknown>(en).filter(([, entry]) => typeof entry === 'string' && counted.test(entry));
    expect(single.map(([key]) => key).filter((key) => !always.includes(key))).toEqual([]);
  });
});
