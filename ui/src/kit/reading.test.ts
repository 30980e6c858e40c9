import { describe, expect, it } from 'vitest';
import { callOf } from './reading';

describe('the one call of a plan', () => {
  it('is taken with what is known of it', () => {
    const due = '2026-01-14T09:00:00-05:00[America/New_York]';
    expect(
      callOf('task.create', [{ tool: 'task.create', args: { title: 'Call the bank', due, notes: null } }]),
    ).toEqual({ title: 'Call the bank', due });
    const people = ['Ana', 'Raj'];
    expect(callOf('calendar.create', [{ tool: 'calendar.create', args: { summary: 'Lunch', people } }])).toEqual({
      summary: 'Lunch',
      people,
    });
  });
  it('is none of any other plan, of one that asks, and of one whose values come from other steps', () => {
    const call = { tool: 'task.create', args: { title: 'a' } };
    for (const steps of [
      [],
      [{ tool: 'email.send', args: { title: 'x' } }],
      [{ ...call, args: { title: { $from: 's1' } } }],
      [{ ...call, args: { title: 'a', people: [{ $from: 's1' }] } }],
      [{ ...call, question: { text: 'When?' } }],
      [call, call],
      ['task.create', 3],
    ]) {
      expect(callOf('task.create', steps)).toBeNull();
    }
  });
});
