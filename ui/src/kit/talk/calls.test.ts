import { describe, expect, it } from 'vitest';
import { calls } from '../../host/fake/costs';
import { answererOf, answeredBy, costText, insteadOf, knowsModel, spentText } from './calls';
import type { TurnView } from './view';

const [failed, done] = calls('t1');
if (!failed || !done) throw new Error('no calls');

const turn = (by: string | null, output: number) =>
  ({ thinking: '', trace: { by, usage: { input: 0, output, cost_micros: 0 } } }) as unknown as TurnView;

describe('calls to models', () => {
  it('are never passed off as the embedded engine', () => {
    expect(answeredBy(turn('embedded', 0))).toBeNull();
    expect(answeredBy(turn(null, 0))).toBeNull();
    expect(answeredBy(turn('lab/tiny', 0))).toBe('lab/tiny');
    // The embedded engine read it, and a model answered.
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
    // Success in another stage does not count as an answer to this one.
    expect(insteadOf([failed, { ...done, stage: 'plan' }])).toBeNull();
    // The same model answered on its second try.
    expect(insteadOf([failed, { ...done, model: failed.model }])).toBeNull();
  });

  it('name who wrote the answer, and nobody where none did', () => {
    const planned = { ...done, stage: 'plan', model: 'planner' };
    expect(answererOf([failed, done, planned])).toBe('llama3.2:3b');
    expect(answererOf([planned])).toBeNull();
    expect(answererOf([failed])).toBeNull();
  });

  it('that were free have no cost', () => {
    expect(costText({ input: 1, output: 1, cost_micros: 0 })).toBeNull();
    expect(costText({ input: 1, output: 1, cost_micros: 2130 })).toContain('0.0021');
  });

  it('are not denied before it is known whether there were any', () => {
    const planning = { thinking: '', trace: { by: 'embedded', usage: null } } as unknown as TurnView;
    expect(knowsModel(planning)).toBe(false);
    expect(spentText(planning, null)).toBeNull();
    // The turn has paused, and the engine says which models it has called so far.
    expect(spentText(planning, [])).toBe('none, no model used');
    expect(spentText(planning, [failed, done])).toBe('gpt-large, llama3.2:3b · $0.0021');
    expect(spentText(turn('embedded', 0), null)).toBe('none, no model used');
    expect(spentText(turn('lab/tiny', 4), null)).toBe('lab/tiny · no cost');
  });
});
