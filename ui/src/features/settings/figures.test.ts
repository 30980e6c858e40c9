import { describe, expect, it } from 'vitest';
import { duration, percent, stageKey, suiteKey } from './figures';

describe('figures', () => {
  it('say durations in the unit that fits', () => {
    expect([0, 75, 999, 1_000, 9_432, 21_000, 1_250_000].map(duration)).toEqual([
      '0 µs',
      '75 µs',
      '999 µs',
      '1.0 ms',
      '9.4 ms',
      '21 ms',
      '1.3 s',
    ]);
  });

  it('never round up to everything', () => {
    expect([0, 0.8089, 0.9999, 1].map(percent)).toEqual(['0 %', '80.9 %', '99.9 %', '100 %']);
  });

  it('have a name for what the engine measures, and none for what it may measure later', () => {
    expect([suiteKey('route')?.name, suiteKey('recall')]).toEqual(['score.route', null]);
    expect([stageKey('turn'), stageKey('embed')]).toEqual(['score.stage_turn', null]);
  });
});
