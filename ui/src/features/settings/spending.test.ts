import { describe, expect, it } from 'vitest';
import { usage } from '../../host/fake/costs';
import { spent, summed } from './spending';

describe('what models cost', () => {
  it('is summed by day, by feature and by model', () => {
    expect(summed(usage, 'day').map((sum) => [sum.key, sum.cost_micros, sum.calls])).toEqual([
      ['2026-01-13', 380_000, 19],
      ['2026-01-12', 1_204_000, 31],
      ['2026-01-05', 0, 4],
    ]);
    const [dearest] = summed(usage, 'stage');
    expect(dearest).toEqual({
      key: 'respond',
      calls: 30,
      failed: 1,
      input: 88_000,
      output: 21_400,
      cost_micros: 1_330_000,
    });
    expect(summed(usage, 'model').map((sum) => sum.key)).toEqual(['Lab/gpt-large', 'Ollama/llama3.2:3b']);
    expect(summed([], 'day')).toEqual([]);
  });

  it('counts against its limits with what running calls hold back', () => {
    expect(spent(usage, '2026-01-13', '2.00')).toEqual({ micros: 400_000, limit_micros: 2_000_000, share: 0.2 });
    expect(spent(usage, '2026-01', '1.00').share).toBe(1);
    expect(spent(usage, '2026-01-13', '0.25', 'background').micros).toBe(50_000);
    // With a limit of zero, nothing spent is 0 %, and anything spent is 100 %.
    expect(spent(usage, '2026-02', '0').share).toBe(0);
    expect(spent(usage, '2026-01', '0').share).toBe(1);
  });
});
