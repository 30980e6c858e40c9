import type { MemoryRow, Source } from '../../host';
import type { PlainKey } from '../../kit/strings';
import '../../kit/strings/en/memory';
import { millis } from '../../kit/time';

/** Whether a memory comes from foreign text and is unconfirmed: shown apart, and not used until the person decides. */
export function isSetAside(memory: MemoryRow): boolean {
  return memory.source === 'read';
}

/** Labels of the known categories; any other shows its own name. */
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
  /** The value the filter compares. */
  name: string;
  /** The key of the label, or null: then `name` is shown. */
  label: PlainKey | null;
  items: MemoryRow[];
}

const nameOf = (memory: MemoryRow) => KNOWN[memory.category.toLowerCase()] ?? memory.category.toLowerCase();

/** Groups memories by category: known categories first; within each, the most used first. Skips unconfirmed ones. */
export function categories(memories: readonly MemoryRow[]): Category[] {
  const groups = new Map<string, MemoryRow[]>();
  for (const memory of memories) {
    // Memories that are no longer used have their own group as well.
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

/** The source for the shared source mark; the mark says no more than its kind. */
export function sourceOf(memory: MemoryRow): Source {
  if (memory.source === 'said') return { kind: 'person', detail: null };
  if (memory.source === 'inferred') return { kind: 'derived', detail: null };
  return { kind: 'found', detail: null };
}
