import { t, type PlainKey } from './strings';
import './strings/en/actions';
import { entryOf } from './strings/words';

/** Describes a built-in tool; null for other tools, which have only the name their server gave them. */
export function toolName(tool: string): string | null {
  const key = `action.${tool}`;
  return entryOf(key) === undefined ? null : t(key as PlainKey);
}
