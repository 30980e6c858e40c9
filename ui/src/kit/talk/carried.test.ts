import { describe, expect, it } from 'vitest';
import type { ActivityRow, Approval, TurnEvent } from '../../host';
import { finished, line, step, type Said } from '../../host/fake/journal';
import { approval, mailCard } from '../../host/fake/cards';
import { activity, receipt } from '../../host/fake/rows';
import { isSilent, receiptsOf, toldLater, wentOn, type Stored } from './carried';
import { emptyTalk, fold } from './fold';

const TOOL = 'email.delete';
const SAID = 'Moved 2 mails to the trash.';
const asked: Said[] = [
  { event: 'turn_started', text: 'Delete both' },
  { event: 'plan', id: 'p', request: 'Delete both', steps: [step('s1', 'Delete both', TOOL)] },
  { event: 'approval_needed', step: 's1', id: 'a1', risk: 'destroys' } as unknown as Said,
  { event: 'waiting', answer: '', approvals: ['a1'], questions: [], results: [] },
];
const goesOn = (text: string): Said[] => [
  { event: 'turn_started', text },
  { event: 'tool_call', step: 's1', tool: TOOL, args: {} },
  {
    event: 'tool_result',
    step: 's1',
    ok: true,
    receipt: receipt('e1', 'mail', 'm', 'One', '2026-01-13T09:25:00-05:00'),
  },
  { event: 'token', text: SAID },
  finished(SAID, [TOOL], 3, [line('s1', TOOL, SAID)]),
];
function turnsOf(text: string, upTo?: number) {
  const said = [
    ...asked.map((one) => ['t1', one]),
    ...goesOn(text)
      .slice(0, upTo)
      .map((one) => ['t2', one]),
  ] as const;
  const events = said.map(
    ([turn, one], at) => ({ ...(one as Said), conversation: 'c', turn, seq: at + 1 }) as TurnEvent,
  );
  return events.reduce(fold, emptyTalk).turns;
}
const stored = (row: Partial<ActivityRow> | undefined, state: Approval['state']): Stored => ({
  effect: (id) => (id === 'e1' ? (row as ActivityRow | undefined) : undefined),
  effectOf: (id) => (row?.approval === id ? (row as ActivityRow) : undefined),
  approval: (id) => (id === 'a1' ? ({ state } as Approval) : undefined),
});
const own = stored({ id: 'e1', approval: 'a1' }, 'succeeded');

describe('what came of a card', () => {
  it('stands in its place after a press, and nowhere else', () => {
    const turns = turnsOf('');
    const [card, after] = turns;
    if (!card || !after) throw new Error('no turns');
    expect(after.effects).toHaveLength(1);
    expect(receiptsOf(after, turns, own)).toEqual([]);
    expect(isSilent(after, turns, own)).toBe(true);
    expect(isSilent(card, turns, own)).toBe(false);
    expect(toldLater(turns, own).size).toBe(0);
  });

  it('is not shown below for the moment until its row has loaded', () => {
    const turns = turnsOf('', 3);
    const after = turns[1];
    if (!after) throw new Error('no turn');
    expect(receiptsOf(after, turns, stored(undefined, 'executing'))).toEqual([]);
    expect(isSilent(after, turns, stored(undefined, 'executing'))).toBe(true);
  });

  it('stands in the answer to the message that approved it, and not in its place', () => {
    const turns = turnsOf('yes');
    const after = turns[1];
    if (!after) throw new Error('no turn');
    expect(receiptsOf(after, turns, own)).toEqual(after.effects);
    expect(isSilent(after, turns, own)).toBe(false);
    expect([...toldLater(turns, own)]).toEqual(['a1']);
  });

  it('leaves alone what a turn did without a card', () => {
    const turns = turnsOf('');
    const after = turns[1];
    if (!after) throw new Error('no turn');
    const free = stored({ id: 'e1', approval: null }, 'pending');
    expect(receiptsOf(after, turns, free)).toEqual(after.effects);
    expect(isSilent(after, turns, free)).toBe(false);
  });
});

describe('a mail that was rejected', () => {
  it('is told by its card alone, also that its text is kept', () => {
    const draft = { ...activity[0]!, id: 'e1', tool: 'email.draft', approval: null, args: { body: mailCard.body } };
    const card = { ...approval('a1', 'email.send', mailCard, 0), state: 'denied', conversation: draft.conversation };
    const rejected: Stored = {
      effect: () => ({ ...draft, outcome: 'succeeded', undo: 'available', at: card.created }),
      effectOf: () => undefined,
      approval: () => card as Approval,
    };
    const turns = turnsOf('');
    const after = { ...turns[1]!, parts: ['Nothing was sent.'] };
    expect(receiptsOf(after, turns, rejected)).toEqual([]);
    expect(isSilent(after, turns, rejected)).toBe(true);
    const answered = turnsOf('no');
    expect(receiptsOf(answered[1]!, answered, rejected)).toHaveLength(1);
  });
});

describe('a plan of several steps', () => {
  const say = (turn: string, said: Said[], from: number) =>
    said.map((one, at) => ({ ...one, conversation: 'c', turn, seq: from + at + 1 }) as TurnEvent);
  const first = say(
    't1',
    [
      { event: 'turn_started', text: 'Delete both, then tell Raj' },
      {
        event: 'plan',
        id: 'p',
        request: '',
        steps: [step('s1', 'Delete both', TOOL), step('s2', 'Tell Raj', 'email.send')],
      },
      { event: 'approval_needed', step: 's1', id: 'a1', risk: 'destroys' } as unknown as Said,
      { event: 'waiting', answer: '', approvals: ['a1'], questions: [], results: [] },
    ],
    0,
  );
  const second = say(
    't2',
    [
      ...goesOn('').slice(0, 3),
      { event: 'approval_needed', step: 's2', id: 'a2', risk: 'reaches_people' } as unknown as Said,
      {
        event: 'waiting',
        answer: '',
        approvals: ['a2'],
        questions: [],
        results: [line('s1', TOOL, SAID), line('s2', 'email.send', '', 'waiting')],
      },
    ],
    first.length,
  );

  it('has what became of its steps in the turns that went on with it', () => {
    const { turns } = [...first, ...second].reduce(fold, emptyTalk);
    const [plan] = turns;
    if (!plan) throw new Error('no plan');
    expect(plan.steps.map((one) => one.state)).toEqual(['waiting', 'next']);
    expect(wentOn(plan, turns, own).steps).toMatchObject([
      { state: 'done', summary: SAID, effect: 'e1' },
      { state: 'waiting', approval: 'a2' },
    ]);
    // The same if the card was edited before it was approved.
    const edited: Stored = {
      ...stored({ id: 'e1', approval: 'a9' }, 'superseded'),
      approval: (id) => (id === 'a1' ? ({ state: 'superseded', superseded_by: 'a9' } as Approval) : undefined),
    };
    expect(wentOn(plan, turns, edited).steps[0]).toMatchObject({ state: 'done', effect: 'e1' });
    // Another turn's effect says nothing about it.
    expect(wentOn(plan, turns, stored({ id: 'e1', approval: null }, 'pending'))).toBe(plan);
  });
});
