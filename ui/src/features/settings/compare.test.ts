import { expect, it } from 'vitest';
import type { UsageRow } from '../../host';
import { compared } from './compare';

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
