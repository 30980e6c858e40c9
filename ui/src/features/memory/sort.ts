import type { MemoryRow, Source } from '../../host';
import type { PlainKey } from '../../kit/strings';
import '../../kit/strings/en/memory';
import { millis } from '../../kit/time';

/** Read somewhere and not vouched for: kept apart, and never used before the person decides. */
export function isSetAside(memory: MemoryRow): boolean {
  return memory.source === 'read';
}

/** Categories with a name of their own; any other is shown by its own word. */
export const KNOWN: Record<string, PlainKey> = {
  person: 'memory.people',
  people: 'memory.people',
  contact: 'memory.people',
  relationship: 'memory.people',
  preference: 'memory.preferences',
  preferences: 'memory.preferences',
  fact: 'memory.facts',
  facts: 'memory.facts',
  routine: 'memory.routines',
  habit: 'memory.routines',
};

export interface Category {
  /** What the filter compares. */
  name: string;
  /** The catalogue's word, or none: then the name itself is shown. */
  label: PlainKey | null;
  items: MemoryRow[];
}

const nameOf = (memory: MemoryRow) => KNOWN[memory.category.toLowerCase()] ?? memory.category.toLowerCase();

/** By category, known ones first, the most used first inside. What is set aside is in none of them. */
export function categories(memories: readonly MemoryRow[]): Category[] {
  const groups = new Map<string, MemoryRow[]>();
  for (const memory of memories) {
    // What is kept and not used has a group of its own as well.
    if (isSetAside(memory) || memory.valid_to !== null) continue;
    const name = nameOf(memory);
    const group = groups.get(name);
    if (group) group.push(memory);
    else groups.set(name, [memory]);
  }
  const order = [...new Set<string>(Object.values(KNOWN))];
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...groups]
    .sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b))
    .map(([name, items]) => ({
      name,
      label: (Object.values(KNOWN).find((known) => known === name) ?? null) as PlainKey | null,
      items: items.sort((a, b) => b.uses - a.uses || millis(b.valid_from) - millis(a.valid_from)),
    }));
}

/** Where it comes from, for the mark all surfaces share. Words of the row itself, or of the kind. */
export function sourceOf(memory: MemoryRow): Source {
  if (memory.source === 'said') return { kind: 'person', detail: null };
  if (memory.source === 'inferred') return { kind: 'derived', detail: null };
  return { kind: 'found', detail: null };
}
