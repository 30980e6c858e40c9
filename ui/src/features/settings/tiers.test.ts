import { describe, expect, it } from 'vitest';
import type { Connection, ModelTest } from '../../host';
import { served, type Served } from '../../kit/tiers';
import type { Tested } from './tested.svelte';
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

  const [home] = served([connection('Home', { fast: 'b' })]) as [Served];
  const test = (verdict: string, at: string) => {
    const checks = [{ what: 'chat', verdict, say: verdict === 'works' ? '' : 'It is not running.' }];
    return { at: Date.parse(at), test: { model: 'b', checks } as ModelTest };
  };
  const known = (...tests: Tested[]) => ({ tests, since: 0 });
  const NINE = '2026-01-13T09:00:00Z';
  const TEN = '2026-01-13T10:00:00Z';

  it('works when it answered, and is not known to before it was tried', () => {
    expect(stateOf(home, known(), []).works).toBe('unknown');
    expect(stateOf(home, known(test('works', NINE)), []).works).toBe('yes');
    expect(stateOf(home, known(test('failed', NINE)), [])).toEqual({
      works: 'no',
      at: Date.parse(NINE),
      why: 'It is not running.',
    });
    const [locked] = served([connection('Locked', { fast: 'a' }, 'Its key is gone.')]) as [Served];
    expect(stateOf(locked, known(), []).works).toBe('no');
  });

  it('has failed when it was last asked in vain, until it answers again or is changed', () => {
    const fault = 'Home/b could not be reached.';
    const last = [{ model: 'Home/b', at: TEN, fault }];
    expect(stateOf(home, known(), last)).toEqual({ works: 'no', at: TEN, why: fault });
    expect(stateOf(home, known(test('works', NINE)), last).works).toBe('no');
    expect(stateOf(home, known(test('works', TEN)), last).works).toBe('yes');
    expect(stateOf(home, known(test('failed', NINE)), [{ model: 'Home/b', at: TEN }]).works).toBe('yes');
    expect(stateOf(home, { tests: [], since: Date.parse(TEN) + 1 }, last).works).toBe('unknown');
  });
});
