import { t, type PlainKey } from './strings';
import './strings/en/tool-names';
import { entryOf } from './strings/words';

/** Describes a built-in tool; null for other tools, which have only the name their server gave them. */
export function toolName(tool: string): string | null {
  const key = `toolName.${tool}`;
  return entryOf(key) === undefined ? null : t(key as PlainKey);
}
