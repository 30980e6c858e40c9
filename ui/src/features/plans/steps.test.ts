import { render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { approval, batchCard } from '../../host/fake/cards';
import { activity } from '../../host/fake/rows';
import { live } from '../../kit/live.svelte';
import type { StepView, TurnView } from '../../kit/talk/view';
import PlanSteps from './PlanSteps.svelte';
import { cardNow, doneNow, effectNow, isUndone, plain, resultNow, riskNow, stepNow, stepState } from './steps';

describe('what a step found, in the rail', () => {
  it('is one line without marks of Markdown', () => {
    expect(plain('2 events.\n\n**Tomorrow, Sat 21 Nov**\n\n- 10:00–11:00 Dentist\n- 14:00–15:00 Review')).toBe(
      '2 events. · Tomorrow, Sat 21 Nov · 10:00–11:00 Dentist · 14:00–15:00 Review',
    );
    expect(plain('3 * 4 is 12 and a_b stays')).toBe('3 * 4 is 12 and a_b stays');
  });
});

describe('a step whose card was decided', () => {
  const asked = {
    key: 's1',
    say: 'Delete the old mails',
    summary: 'Delete the old mails',
    tool: 'email.delete',
    risk: 'destroys',
    state: 'waiting',
    effect: null,
    approval: 'a1',
  } as StepView;
  const next = { ...asked, key: 's2', approval: null, risk: null, state: 'next' } as StepView;
  const turn = { steps: [asked, next] } as TurnView;
  const put = (state: 'pending' | 'approved' | 'succeeded', undo_kind: string) => {
    const card = { ...batchCard, undo_kind };
    live.approvals = [{ ...approval('a1', 'email.delete', card, 0), state }];
  };

  beforeEach(() => {
    live.effects = [];
  });

  it('counts as done, and the plan is at its next step', () => {
    put('pending', 'yes');
    expect([doneNow(turn), stepNow(turn)?.key]).toEqual([0, 's1']);
    put('succeeded', 'yes');
    expect([doneNow(turn), stepNow(turn)?.key]).toEqual([1, 's2']);
  });

  it('waits for nobody once it was approved', () => {
    put('approved', 'yes');
    render(PlanSteps, { turn: { ...turn, state: 'waiting' } });
    screen.getByText('Approved, not done yet');
    expect(screen.queryByText('Waiting for you')).toBeNull();
  });

  it('follows the card that replaced an edited one, to its end', () => {
    const edited = {
      ...approval('a1', 'email.delete', batchCard, 0),
      state: 'superseded',
      superseded_by: 'a2',
    } as const;
    const again = { ...approval('a2', 'email.delete', batchCard, 0), superseded_by: null };
    live.approvals = [edited, again];
    expect([stepState(asked), cardNow(asked)]).toEqual(['waiting', 'a2']);
    live.approvals = [edited, { ...again, state: 'succeeded' }];
    const [row] = activity;
    if (!row) throw new Error('no effects');
    live.effects = [{ ...row, id: 'e2', approval: 'a2', say: 'Moved 1 mail to the trash.' }];
    expect([doneNow(turn), effectNow(asked), resultNow(asked)]).toEqual([1, 'e2', 'Moved 1 mail to the trash.']);
  });

  it('is not done any more once that was undone', () => {
    put('succeeded', 'yes');
    const [row] = activity;
    if (!row) throw new Error('no effects');
    live.effects = [{ ...row, id: 'e1', approval: 'a1', undo: 'used' }];
    expect([doneNow(turn), isUndone(asked)]).toEqual([0, true]);
    const { container } = render(PlanSteps, { turn: { ...turn, state: 'done' } });
    expect(container.querySelector('.step')?.className).not.toContain('is-done');
    screen.getByText('Undone');
  });

  it('says what came of it, and never its title again', () => {
    put('succeeded', 'yes');
    expect(resultNow(asked)).toBeNull();
    const [row] = activity;
    if (!row) throw new Error('no effects');
    live.effects = [{ ...row, id: 'e1', approval: 'a1', say: 'Moved 2 mails to the trash.\n\n- One\n- Two' }];
    expect(resultNow(asked)).toBe('Moved 2 mails to the trash.');
    expect(effectNow(asked)).toBe('e1');
  });

  it('does not call destroyed what its card says can be undone', () => {
    put('pending', 'yes');
    expect(riskNow(asked, null)).toBe('local_reversible');
    put('pending', 'no');
    expect(riskNow(asked, null)).toBe('destroys');
    expect(riskNow(next, 'destroys')).toBe('destroys');
  });
});
