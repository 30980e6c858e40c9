import { describe, expect, it } from 'vitest';
import { memories } from '../../host/fake/rows';
import { categories, isSetAside, sourceOf } from './sort';

describe('memories', () => {
  it('are grouped with the most used first; what was read somewhere is in no group', () => {
    const groups = categories(memories);
    expect(groups.map((group) => [group.label, group.items.map((one) => one.id)])).toEqual([
      ['memory.people', ['m-raj', 'm-ana']],
      ['memory.preferences', ['m-sign', 'm-early', 'm-30']],
    ]);
    expect(memories.filter(isSetAside).map((one) => one.id)).toEqual(['m-kelm']);
  });
  it('show a category of their own under its own name, after the known ones', () => {
    const made = categories(memories.map((one) => (one.id === 'm-ana' ? { ...one, category: 'Allergy' } : one)));
    expect(made.map((group) => [group.name, group.label]).at(-1)).toEqual(['allergy', null]);
  });
  it('are trusted only as far as their source, and what was read not at all', () => {
    const [first] = memories;
    if (!first) throw new Error('no rows');
    expect(sourceOf({ ...first, source: 'said' }).kind).toBe('person');
    expect(sourceOf({ ...first, source: 'inferred' }).kind).toBe('derived');
    expect(sourceOf({ ...first, source: 'read' }).kind).toBe('found');
  });
});
