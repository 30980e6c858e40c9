import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import type { TurnEvent } from '../../host';
import { approval, batchCard } from '../../host/fake/cards';
import { finished, line, step, type Said } from '../../host/fake/journal';
import { activity, receipt } from '../../host/fake/rows';
import { live } from '../../kit/live.svelte';
import { talk } from '../../kit/talk/conversation.svelte';
import { emptyTalk, fold } from '../../kit/talk/fold';
import Turns from './Turns.svelte';

const TOOL = 'task.delete';
const SAID = 'Deleted 2 tasks.';
const [row] = activity;
const asked: Said[] = [
  { event: 'turn_started', text: 'Delete both' },
  { event: 'plan', id: 'p', request: 'Delete both', steps: [step('s1', 'Delete both', TOOL)] },
  { event: 'approval_needed', step: 's1', id: 'a1', risk: 'destroys' } as unknown as Said,
  { event: 'waiting', answer: '', approvals: ['a1'], questions: [], results: [] },
];
const goesOn = (text: string): Said[] => [
  { event: 'turn_started', text },
  {
    event: 'tool_result',
    step: 's1',
    ok: true,
    receipt: receipt('e1', 'task', 't', 'One', '2026-01-13T09:25:00-05:00'),
  },
  finished(SAID, [TOOL], 3, [line('s1', TOOL, SAID)]),
];

function show(words: string) {
  if (!row) throw new Error('no effects');
  live.approvals = [{ ...approval('a1', TOOL, batchCard, 0), state: 'succeeded' }];
  live.effects = [{ ...row, id: 'e1', approval: 'a1', say: SAID, undo: 'available', outcome: 'succeeded' }];
  const said = [...asked.map((one) => ['t1', one]), ...goesOn(words).map((one) => ['t2', one])] as [string, Said][];
  talk.view = said
    .map(([turn, one], at) => ({ ...one, conversation: 'c', turn, seq: at + 1 }) as TurnEvent)
    .reduce(fold, emptyTalk);
  const none = () => undefined;
  const view = render(Turns, { there: 'talk', onsend: none, onsay: none, onedit: none, onagain: none, onother: none });
  flushSync();
  return view.container;
}

describe('an approved action in the conversation', () => {
  afterEach(() => {
    talk.view = emptyTalk;
  });

  it.each([
    ['a press on its card', '', 1],
    ['a message', 'yes', 2],
  ])('is told once after %s, with one Undo', (_, words, replies) => {
    const view = show(words);
    expect(screen.getAllByText(SAID)).toHaveLength(1);
    expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1);
    expect(view.querySelectorAll('.reply')).toHaveLength(replies);
    expect(screen.queryAllByText('Approved, see below')).toHaveLength(replies - 1);
  });
});

describe('the messages of a conversation', () => {
  afterEach(() => {
    talk.view = emptyTalk;
    talk.sending = null;
  });

  it('keep their buttons while an answer is written, unusable: making them again would take long', () => {
    show('yes');
    const before = screen.getAllByRole('button', { name: 'Edit and ask again' });
    expect(before.map((one) => one.matches(':disabled'))).toEqual(before.map(() => false));
    talk.sending = { text: 'And now?', since: 0 };
    flushSync();
    const after = screen.getAllByRole('button', { name: 'Edit and ask again', hidden: true });
    expect(after).toEqual(before);
    expect(after.map((one) => one.matches(':disabled'))).toEqual(before.map(() => true));
  });
});
