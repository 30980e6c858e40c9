import { describe, expect, it } from 'vitest';
import type { Connection, UsageRow } from '../../host';
import { Models } from '../../host/fake/models';
import { compared, expected } from './compare';

const row = (stage: string, purpose: string, more: Partial<UsageRow> = {}): UsageRow => ({
  day: '2026-01-13',
  stage,
  model: 'Lab/gpt-large',
  purpose,
  calls: 2,
  failed: 0,
  input: 10_000,
  output: 1000,
  cost_micros: 70_000,
  reserved_micros: 0,
  cost: '',
  currency: 'USD',
  ...more,
});

function candidate(input: number, output: number): Connection {
  const models = new Models();
  const model = { ...models.model('small'), input_micros_per_million: input, output_micros_per_million: output };
  const draft = { name: 'Try', kind: 'ollama', base_url: '', embedding: null, headers: {}, proxy: '' };
  models.connect({ ...draft, models: { fast: models.model('free'), standard: model } }, null);
  return models.connections[0] as Connection;
}

describe('what comparing would cost', () => {
  it('is what the compared requests of before would have cost with the dearest model', () => {
    const rows = [
      row('route', 'foreground'),
      row('plan', 'foreground', { calls: 3 }),
      // Neither can be compared, nor is what nobody waited for.
      row('respond', 'foreground'),
      row('route', 'background'),
    ];
    expect(expected(rows, candidate(2_000_000, 8_000_000))).toEqual({ calls: 5, micros: 56_000, price: 'known' });
  });

  it('is nothing without requests, nothing where it costs nothing, and not known without a price', () => {
    const rows = [row('route', 'foreground')];
    expect(expected([], candidate(2_000_000, 1))).toEqual({ calls: 0, micros: 0, price: 'known' });
    expect(expected(rows, candidate(0, 0))).toEqual({ calls: 2, micros: 0, price: 'free' });
    const far = (free: boolean) => {
      const one = candidate(0, 0);
      const models = Object.entries(one.models).map(([tier, model]) => [tier, { ...model, free }]);
      return { ...one, local: false, models: Object.fromEntries(models) as Connection['models'] };
    };
    expect(expected(rows, far(false)).price).toBe('unknown');
    expect(expected(rows, far(true)).price).toBe('free');
  });
});

it('what comparing did cost is what the candidate was asked in the background', () => {
  const rows = [
    row('plan', 'background', { model: 'Try/small', cost_micros: 900 }),
    row('route', 'background', { model: 'Try/small', cost_micros: 100, calls: 1 }),
    row('plan', 'foreground', { model: 'Try/small' }),
    row('summarise', 'background', { model: 'Try/small' }),
    row('plan', 'background', { model: 'Tryst/small' }),
  ];
  expect(compared(rows, 'Try')).toEqual({ calls: 3, micros: 1000 });
});
