import type { CallRow, UsageRow } from '../wire';

/** The model calls of one turn: one failed, and the next one succeeded. */
export function calls(turn: string): CallRow[] {
  const call = (id: number, model: string, state: string, more: Partial<CallRow>): CallRow => ({
    id,
    at: '2026-01-13T09:24:00-05:00',
    turn,
    stage: 'respond',
    tier: 'standard',
    purpose: 'foreground',
    model,
    prompt: 'respond@5f0c2a91',
    state,
    input_chars: 4800,
    input: 1240,
    output: 86,
    worst_micros: 9000,
    cost_micros: 2130,
    estimated: false,
    cost: '0.00213',
    currency: 'USD',
    first_ms: 310,
    ms: 1820,
    fault: null,
    ...more,
  });
  return [
    call(1, 'gpt-large', 'failed', {
      output: 0,
      cost_micros: 0,
      first_ms: null,
      ms: 240,
      fault: 'It stopped in the middle.',
    }),
    call(2, 'llama3.2:3b', 'done', { estimated: true }),
  ];
}

const used = (day: string, stage: string, model: string, more: Partial<UsageRow>): UsageRow => ({
  day,
  stage,
  model,
  purpose: 'foreground',
  calls: 0,
  failed: 0,
  input: 0,
  output: 0,
  cost_micros: 0,
  reserved_micros: 0,
  cost: '',
  currency: 'USD',
  ...more,
});

export const usage: UsageRow[] = [
  used('2026-01-13', 'respond', 'Lab/gpt-large', {
    calls: 11,
    failed: 1,
    input: 31_000,
    output: 7400,
    cost_micros: 290_000,
    reserved_micros: 20_000,
  }),
  used('2026-01-13', 'plan', 'Lab/gpt-large', { calls: 3, input: 9600, output: 810, cost_micros: 40_000 }),
  used('2026-01-13', 'route', 'Ollama/llama3.2:3b', { calls: 4, input: 2100, output: 96 }),
  used('2026-01-13', 'summarise', 'Lab/gpt-large', {
    purpose: 'background',
    calls: 1,
    input: 12_400,
    output: 640,
    cost_micros: 50_000,
  }),
  used('2026-01-12', 'respond', 'Lab/gpt-large', { calls: 19, input: 57_000, output: 14_000, cost_micros: 1_040_000 }),
  used('2026-01-12', 'plan', 'Lab/gpt-large', { calls: 12, input: 38_000, output: 3100, cost_micros: 164_000 }),
  used('2026-01-05', 'route', 'Ollama/llama3.2:3b', { calls: 4, failed: 2, input: 1900, output: 71 }),
];
