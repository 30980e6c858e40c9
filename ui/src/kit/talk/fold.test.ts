import { describe, expect, it } from 'vitest';
import { approval, moveCard } from '../../host/fake/cards';
import { finished, inFlight, moveRaj, type Said } from '../../host/fake/journal';
import type { TurnEvent } from '../../host';
import { currentPlan, emptyTalk, fold, prepend, stepsDone } from './fold';

function journal(said: Said[], turn = 't1', from = 0): TurnEvent[] {
  return said.map(
    (one, index) =>
      ({ ...one, conversation: 'main', turn, seq: from + index + 1, at: '2026-01-13T09:23:00-05:00' }) as TurnEvent,
  );
}

const card = approval('a1', 'calendar.update', moveCard, 0);
const moved = journal(moveRaj(card));

describe('fold', () => {
  it('builds the conversation of the mock', () => {
    const view = moved.reduce(fold, emptyTalk);
    const turn = view.turns[0];
    expect(turn).toMatchObject({ state: 'waiting', approvals: ['a1'] });
    expect(turn?.receipts.map((one) => one.id)).toEqual(['r-train']);
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

  it('goes on after an approval: the step is done, the words come below, nothing is doubled', () => {
    const receipt = { id: 'r2', outcome: 'done' as const, what: 'Thu 15 Jan, 11:00', at: '2026-01-13T09:25:00-05:00' };
    const rest: Said[] = [
      { event: 'tool_result', step: 'move', ok: true, receipt, ms: 20 },
      finished('Moved to Thursday, 11:00.', ['calendar.update'], 30),
    ];
    const view = [...moved, ...journal(rest, 't1', moved.length)].reduce(fold, emptyTalk);
    const turn = view.turns[0];
    expect(turn?.parts).toHaveLength(2);
    // The card shows this receipt in its own place.
    expect(turn?.receipts.map((one) => one.id)).toEqual(['r-train']);
    expect(turn?.steps[4]).toMatchObject({ state: 'done', receipt });
  });

  it('marks what an interruption left undone, and keeps what was done', () => {
    const view = [
      ...journal(inFlight),
      ...journal([{ event: 'interrupted', results: [] }], 't1', inFlight.length),
    ].reduce(fold, emptyTalk);
    expect(view.turns[0]?.state).toBe('stopped');
    expect(view.turns[0]?.steps.map((step) => step.state)).toEqual(['done', 'cancelled', 'cancelled']);
  });

  it('never shows an unknown outcome as done', () => {
    const receipt = {
      id: 'r3',
      outcome: 'unknown' as const,
      what: 'May have been sent',
      at: '2026-01-13T09:25:00-05:00',
    };
    const view = [
      ...moved,
      ...journal([{ event: 'tool_result', step: 'move', ok: true, receipt }], 't1', moved.length),
    ].reduce(fold, emptyTalk);
    expect(view.turns[0]?.steps[4]?.state).toBe('unknown');
  });

  it('puts earlier turns in front without losing the place', () => {
    const later = journal([{ event: 'turn_started', text: 'second' }], 't2', 50).reduce(fold, emptyTalk);
    const view = prepend(later, journal([{ event: 'turn_started', text: 'first' }], 't1'));
    expect(view.turns.map((turn) => turn.text)).toEqual(['first', 'second']);
    expect(view.seq).toBe(51);
  });
});
