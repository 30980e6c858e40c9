import { t, type PlainKey } from './strings';
import './strings/en/deeds';
import { entryOf } from './strings/words';

/** Describes a built-in tool; null for other tools, which have only the name their server gave them. */
export function deedText(tool: string): string | null {
  const key = `deed.${tool}`;
  return entryOf(key) === undefined ? null : t(key as PlainKey);
}
