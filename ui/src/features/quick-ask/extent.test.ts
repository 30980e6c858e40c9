import { describe, expect, it } from 'vitest';
import { heightFor, isKept, KEPT_MS } from './extent';

describe('quick-ask', () => {
  it('keeps its text a minute', () => {
    expect([isKept(null, 5), isKept(1000, 1000 + KEPT_MS), isKept(1000, 1001 + KEPT_MS)]).toEqual([true, true, false]);
  });
  it('grows with its answer, between 64 and 420', () => {
    expect([10, 64, 200.4, 900].map(heightFor)).toEqual([64, 64, 200, 420]);
  });
});
