import { describe, expect, it } from 'vitest';
import { calls } from '../../host/fake/costs';
import { answeredBy, costText, insteadOf } from './calls';
import type { TurnView } from './fold';

const [failed, done] = calls('t1');
if (!failed || !done) throw new Error('no calls');

const turn = (by: string | null, output: number) =>
  ({ thinking: '', trace: { by, usage: { input: 0, output, cost_micros: 0 } } }) as unknown as TurnView;

describe('calls to models', () => {
  it('are never passed off as the embedded engine', () => {
    expect(answeredBy(turn('embedded', 0))).toBeNull();
    expect(answeredBy(turn(null, 0))).toBeNull();
    expect(answeredBy(turn('lab/tiny', 0))).toBe('lab/tiny');
    // Read by the embedded engine, answered by a model.
    expect(answeredBy(turn('embedded', 12))).toBe('a model');
  });

  it('tell who answered instead of whom, only when another made it good', () => {
    expect(insteadOf([failed, done])).toEqual({
      model: 'gpt-large',
      why: 'It stopped in the middle.',
      by: 'llama3.2:3b',
    });
    expect(insteadOf([done])).toBeNull();
    expect(insteadOf([failed])).toBeNull();
    // Another stage that went well is no answer to this one.
    expect(insteadOf([failed, { ...done, stage: 'plan' }])).toBeNull();
    // The same model at the second try answered itself.
    expect(insteadOf([failed, { ...done, model: failed.model }])).toBeNull();
  });

  it('that were free have no cost', () => {
    expect(costText({ input: 1, output: 1, cost_micros: 0 })).toBeNull();
    expect(costText({ input: 1, output: 1, cost_micros: 2130 })).toContain('0.0021');
  });
});
