import { describe, expect, it } from 'vitest';
import type { Connection, ModelTest } from '../../host';
import { served } from '../../kit/tiers';
import { stateOf } from './tiers';

const connection = (name: string, models: Record<string, string>, problem: string | null = null): Connection =>
  ({
    name,
    problem,
    models: Object.fromEntries(Object.entries(models).map(([tier, id]) => [tier, { id }])),
  }) as unknown as Connection;
const shown = (all: Connection[]) => served(all).map((one) => `${one.tier} ${one.connection.name}/${one.model}`);

describe('who answers for a tier', () => {
  it('is the nearest cheaper model, else the nearest dearer one', () => {
    expect(shown([connection('Lab', { standard: 'big' })])).toEqual([
      'fast Lab/big',
      'standard Lab/big',
      'deep Lab/big',
    ]);
    expect(shown([connection('Lab', { fast: 'small', deep: 'huge' })])).toEqual([
      'fast Lab/small',
      'standard Lab/small',
      'deep Lab/huge',
    ]);
  });

  it('is of the first connection that can be used', () => {
    const all = [connection('Locked', { fast: 'a' }, 'Its key is gone.'), connection('Home', { fast: 'b' })];
    expect(shown(all)[0]).toBe('fast Home/b');
    expect(shown(all.slice(0, 1))[0]).toBe('fast Locked/a');
    expect(served([])).toEqual([]);
  });

  it('works when it answered, and is not known to before it was tried', () => {
    const [one] = served([connection('Home', { fast: 'b' })]);
    const test = (verdict: string) => ({ model: 'b', checks: [{ what: 'chat', verdict, say: '' }] }) as ModelTest;
    expect(one && stateOf(one, []).works).toBe('unknown');
    expect(one && stateOf(one, [test('works')]).works).toBe('yes');
    expect(one && stateOf(one, [test('failed')]).works).toBe('no');
    const [locked] = served([connection('Locked', { fast: 'a' }, 'Its key is gone.')]);
    expect(locked && stateOf(locked, []).works).toBe('no');
  });
});
