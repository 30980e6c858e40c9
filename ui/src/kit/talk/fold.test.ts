import { describe, expect, it } from 'vitest';
import { approval, moveCard } from '../../host/fake/cards';
import { finished, inFlight, line, moveRaj, type Said } from '../../host/fake/journal';
import type { TurnEvent } from '../../host';
import { receipt } from '../../host/fake/rows';
import frames from '../../host/frames/ask.json';
import { emptyTalk, fold } from './fold';
import { currentPlan, effectsOf, exchanges, partsBeside, stepsDone } from './standing';

function journal(said: Said[], turn = 't1', from = 0): TurnEvent[] {
  return said.map((one, index) => ({ ...one, conversation: 'main', turn, seq: from + index + 1 }) as TurnEvent);
}

const emptyTurn = () =>
  structuredClone(journal([{ event: 'turn_started', text: 'hi' }]).reduce(fold, emptyTalk).turns[0]!);
const recorded = frames as { request: { text: string }; events?: object[] }[];
const card = approval('a1', 'calendar.update', moveCard, 0);
const moved = journal(moveRaj(card));

describe('fold', () => {
  it('builds the conversation of the mock', () => {
    const view = moved.reduce(fold, emptyTalk);
    const turn = view.turns[0];
    expect(turn).toMatchObject({ state: 'waiting', approvals: ['a1'] });
    expect(turn?.effects.map((one) => one.id)).toEqual(['r-train']);
    expect(turn?.parts).toHaveLength(1);
    expect(turn?.steps.map((step) => step.state)).toEqual(['done', 'done', 'done', 'done', 'waiting', 'next']);
    expect(turn && stepsDone(turn)).toBe(4);
    expect(currentPlan(view)).toBe(turn);
  });

  it('gives the same view when a reload replays everything, or overlaps', () => {
    const once = moved.reduce(fold, emptyTalk);
    const half = moved.slice(0, 7).reduce(fold, emptyTalk);
    expect(moved.reduce(fold, half)).toEqual(once);
    expect([...moved, ...moved].reduce(fold, emptyTalk)).toEqual(once);
  });

  it('leaves no step running in a turn that failed', () => {
    const running = [
      ...moved.slice(0, 6),
      ...journal([{ event: 'tool_call', step: 'free', tool: '', args: {} }], 't1', 6),
    ];
    const states = (events: TurnEvent[]) => events.reduce(fold, emptyTalk).turns[0]?.steps.map((step) => step.state);
    expect(states(running)).toEqual(['done', 'running', 'next', 'next', 'next', 'next']);
    const failed = [...running, ...journal([{ event: 'error', code: 'x', message: 'It broke.', hint: '' }], 't1', 7)];
    expect(failed.reduce(fold, emptyTalk).turns[0]).toMatchObject({ state: 'failed', error: { message: 'It broke.' } });
    expect(states(failed)).toEqual(['done', 'cancelled', 'cancelled', 'cancelled', 'cancelled', 'cancelled']);
  });

  it('ends the turn whose end was not stored, and counts on as before', () => {
    const before = moved.slice(0, 7).reduce(fold, emptyTalk);
    const error: Said = { event: 'error', code: 'disk_full', message: 'The disk is full.', hint: 'Make room.' };
    const [lost] = journal([error], 't1', -1);
    const after = fold(before, lost as TurnEvent);
    expect(lost?.seq).toBe(0);
    expect(after.turns[0]).toMatchObject({ state: 'failed', error: { message: 'The disk is full.' }, status: null });
    expect(after.seq).toBe(before.seq);
    // A refusal names a turn that does not exist here.
    const [refused] = journal([error], 't-none', -1);
    expect(fold(after, refused as TurnEvent)).toBe(after);
  });

  it('says a question on its card alone, and keeps what the answer says besides', () => {
    const asked = 'Which Ana?\n\n1. Ana Ruiz, ana.ruiz@northwind.example\n2. Ana Keller, ana@keller-family.example';
    const answer = `Added the task.\n\n${asked}`;
    const said: Said[] = [
      { event: 'turn_started', text: 'add a task and invite Ana' },
      { event: 'question', id: 'q', step: 'invite', text: 'Which Ana?', choices: [] },
      { event: 'token', text: answer },
      {
        event: 'waiting',
        answer,
        approvals: [],
        questions: ['q'],
        results: [
          line('add', 'task.create', 'Added the task.'),
          line('invite', 'calendar.create', asked, 'needs_answer'),
        ],
      },
    ];
    expect(journal(said).reduce(fold, emptyTalk).turns[0]?.parts).toEqual(['Added the task.']);
    const only = said.map((one) => (one.event === 'waiting' ? { ...one, answer: asked } : one)) as Said[];
    expect(journal(only).reduce(fold, emptyTalk).turns[0]?.parts).toEqual([]);
  });

  it('says one fact once: the receipt of a single step is the answer, and no plan opens beside it', () => {
    const added = 'Added “Call the bank”, due Thu 12 Mar, 09:00.';
    const said: Said[] = [
      { event: 'turn_started', text: 'Remind me tomorrow at 9 to call the bank' },
      {
        event: 'plan',
        id: 't1',
        request: 'Add the task “Call the bank”',
        steps: [{ key: 'add', say: 'Add the task', why: '', tool: 'task.create', status: 'next' }],
      },
      { event: 'tool_result', step: 'add', ok: true, receipt: { id: 'eff' } },
      { event: 'token', text: added },
      finished(added, ['task.create'], 8, [line('add', 'task.create', added)]),
    ];
    const view = journal(said).reduce(fold, emptyTalk);
    expect(view.turns[0]?.effects.map((one) => one.id)).toEqual(['eff']);
    expect(view.turns[0]?.parts).toEqual([added]);
    expect(view.turns[0] && partsBeside(view.turns[0])).toEqual([]);
    expect(currentPlan(view)).toBeNull();
  });

  it('keeps what the tool of a server answered beside the receipt of its call', () => {
    const answer = 'High tide in Dover is at 11:42.';
    const said: Said[] = [
      { event: 'turn_started', text: 'High tide in Dover' },
      {
        event: 'plan',
        id: 't1',
        request: 'High tide in Dover',
        steps: [{ key: 'tide', say: 'High tide', why: '', tool: 'mcp.tides.high_tide', status: 'next' }],
      },
      { event: 'tool_result', step: 'tide', ok: true, receipt: { id: 'eff' } },
      { event: 'token', text: answer },
      finished(answer, ['mcp.tides.high_tide'], 8, [line('tide', 'mcp.tides.high_tide', answer)]),
    ];
    const view = journal(said).reduce(fold, emptyTalk);
    expect(view.turns[0]?.effects.map((one) => one.id)).toEqual(['eff']);
    expect(view.turns[0] && partsBeside(view.turns[0])).toEqual([answer]);
  });

  it('leaves out of an answer what a receipt says, and keeps what stands beside it', () => {
    const turn = { ...emptyTurn(), parts: ['Remembered: Raj.\n\nStill waiting: Move it.', 'It is remembered: Raj.'] };
    turn.effects = [{ id: 'eff', step: 's1', say: 'Remembered: Raj.' }];
    expect(partsBeside(turn)).toEqual(['Still waiting: Move it.', 'It is remembered: Raj.']);
    turn.effects = [{ id: 'eff', step: 's1', say: 'remembered: Raj.' }];
    expect(partsBeside(turn)).toEqual(turn.parts);
  });

  it('streams tokens into one part and settles on the final words', () => {
    const said: Said[] = [
      { event: 'turn_started', text: 'hi' },
      { event: 'token', text: 'You have ' },
      { event: 'token', text: 'two' },
    ];
    const streaming = journal(said).reduce(fold, emptyTalk);
    expect(streaming.turns[0]).toMatchObject({ streaming: true, parts: ['You have two'] });
    const done = fold(streaming, journal([finished('You have two.', [], 3)], 't1', 3)[0] as TurnEvent);
    expect(done.turns[0]).toMatchObject({ state: 'done', streaming: false, parts: ['You have two.'] });
  });

  it('begins the answer again when another model takes over, and keeps thoughts out of it', () => {
    const said: Said[] = [
      { event: 'turn_started', text: 'hi' },
      { event: 'token', text: 'The lease ends on' },
      { event: 'thinking', text: 'Two years ' },
      { event: 'thinking', text: 'from March.' },
      { event: 'token', text: 'It ', restart: true },
      { event: 'token', text: 'ends in 2028.' },
    ];
    const view = journal(said).reduce(fold, emptyTalk);
    expect(view.turns[0]).toMatchObject({
      parts: ['It ends in 2028.'],
      thinking: 'Two years from March.',
      streaming: true,
    });
  });

  it('goes on after an approval: the step is done, the words come below, nothing is doubled', () => {
    const proof = receipt('r2', 'event', 'e-raj', 'Mara / Raj', '2026-01-13T09:25:00-05:00');
    const rest: Said[] = [
      { event: 'tool_result', step: 'move', ok: true, receipt: proof },
      finished('Moved to Thursday, 11:00.', ['calendar.update'], 30, [
        line('move', 'calendar.update', 'Thu 15 Jan, 11:00'),
      ]),
    ];
    const view = [...moved, ...journal(rest, 't1', moved.length)].reduce(fold, emptyTalk);
    const turn = view.turns[0];
    expect(turn?.parts).toHaveLength(2);
    // The card itself shows this receipt.
    expect(turn?.effects.map((one) => one.id)).toEqual(['r-train']);
    expect(turn?.steps[4]).toMatchObject({ state: 'done', effect: 'r2', summary: 'Thu 15 Jan, 11:00' });
  });

  it('marks what an interruption left undone, and keeps what was done', () => {
    const view = [
      ...journal(inFlight),
      ...journal([{ event: 'interrupted', results: [] }], 't1', inFlight.length),
    ].reduce(fold, emptyTalk);
    expect(view.turns[0]?.state).toBe('stopped');
    expect(view.turns[0]?.steps.map((step) => step.state)).toEqual(['done', 'cancelled', 'cancelled']);
  });

  it('says of each step what the lines at the end say: an unknown outcome is never done', () => {
    const rest: Said[] = [
      { event: 'tool_result', step: 'move', ok: true },
      finished('', [], 3, [line('move', 'calendar.update', 'May have been moved', 'unknown')]),
    ];
    const view = [...moved, ...journal(rest, 't1', moved.length)].reduce(fold, emptyTalk);
    expect(view.turns[0]?.steps[4]).toMatchObject({ state: 'unknown', summary: 'May have been moved' });
  });

  it('keeps what was said when a button starts the turn again without words', () => {
    const view = [...moved, ...journal([{ event: 'turn_started', text: '' }], 't1', moved.length)].reduce(
      fold,
      emptyTalk,
    );
    expect(view.turns[0]?.text).toContain('Move my 1:1');
    expect(view.turns[0]?.state).toBe('running');
  });
});

describe('a message that was said another way', () => {
  const started = (text: string, turn: string, seq: number, instead_of?: string) =>
    ({
      ...{ event: 'turn_started', conversation: 'main', turn, seq, text },
      ...(instead_of ? { instead_of } : {}),
    }) as TurnEvent;
  const shape = (events: TurnEvent[]) =>
    exchanges(events.reduce(fold, emptyTalk).turns).map(({ turn, before }) => [turn.id, before.map((one) => one.id)]);

  it('stands in the place of the first and of all after it, again and again', () => {
    const said = [started('one', 'a', 1), started('two', 'b', 2), started('three', 'c', 3)];
    expect(shape(said)).toEqual([
      ['a', []],
      ['b', []],
      ['c', []],
    ]);
    said.push(started('deux', 'd', 4, 'b'));
    expect(shape(said)).toEqual([
      ['a', []],
      ['d', ['b', 'c']],
    ]);
    said.push(started('four', 'e', 5), started('zwei', 'f', 6, 'd'));
    expect(shape(said)).toEqual([
      ['a', []],
      ['f', ['b', 'c', 'd', 'e']],
    ]);
    // A window that was not up to date yet replaces an older one again.
    said.push(started('dos', 'g', 7, 'c'));
    expect(shape(said).at(-1)).toEqual(['g', ['b', 'c', 'd', 'e', 'f']]);
    // A turn that continues keeps its place; one whose original is unknown stands alone.
    said.push(started('', 'g', 8), started('x', 'h', 9, 'gone'));
    expect(shape(said).slice(1)).toEqual([
      ['g', ['b', 'c', 'd', 'e', 'f']],
      ['h', []],
    ]);
  });

  it('keeps what was done, and its plan is not beside the conversation any more', () => {
    const view = [...moved, started('something else', 't2', 99, 't1')].reduce(fold, emptyTalk);
    expect(currentPlan(view)).toBeNull();
    expect(effectsOf(exchanges(view.turns)[0]?.before ?? []).map((one) => one.id)).toEqual(['r-train']);
  });
});

describe('a clear request of one step, as the engine told it', () => {
  const told = recorded.find((one) => one.request.text === 'remind me tomorrow at 9 to call the bank');
  const events = (told?.events ?? []).map((event, at) => ({ ...event, seq: at + 1 }) as TurnEvent);

  it('is its receipt: no words beside it, and no plan', () => {
    const view = events.reduce(fold, emptyTalk);
    const [turn] = view.turns;
    expect(turn).toMatchObject({ state: 'done', text: 'remind me tomorrow at 9 to call the bank' });
    expect(turn?.effects).toHaveLength(1);
    expect(turn && partsBeside(turn)).toEqual([]);
    expect(currentPlan(view)).toBeNull();
  });

  it('has its plan beside it while it waits, and with two steps', () => {
    const waiting = [...events.slice(0, -1), { ...moved.find((one) => one.event === 'approval_needed'), seq: 90 }];
    const own = waiting.map((event) => ({ ...event, turn: events[0]?.turn }) as TurnEvent);
    const step = events.find((event) => event.event === 'plan')?.steps[0]?.key;
    const asked = own.map((event) => (event.event === 'approval_needed' ? { ...event, step: step ?? '' } : event));
    expect(currentPlan(asked.reduce(fold, emptyTalk))?.steps).toHaveLength(1);
    expect(currentPlan(moved.reduce(fold, emptyTalk))?.steps).toHaveLength(6);
  });
});
