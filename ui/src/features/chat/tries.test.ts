import { afterEach, describe, expect, it, vi } from 'vitest';
import { host, type Rows } from '../../host';
import { clock } from '../../kit/clock.svelte';
import { ownTries } from './tries';

const DAY_MS = 86_400_000;
const at = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString();

/** A profile with these rows, in which the engine plans these tools for each line. */
function profile(rows: Record<string, object[]>, tools: Record<string, string[]>): void {
  vi.spyOn(host, 'call').mockImplementation(((op: string, asked: { what: string; text: string }) => {
    if (op === 'show') return Promise.resolve({ rows: { topic: asked.what, list: rows[asked.what] ?? [] } as Rows });
    const steps = (tools[asked.text] ?? []).map((tool) => ({ tool }));
    return Promise.resolve({ reading: steps.length > 0 ? { reading: 'plan', steps } : { reading: 'chat' } });
  }) as never);
}

describe('what is suggested of one’s own records', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is what comes next, who wrote and what is late', async () => {
    profile(
      {
        events: [
          { summary: 'Later', start: at(2) },
          { summary: 'Budget review', start: at(1) },
          { summary: 'Over', start: at(-1) },
        ],
        mail: [
          { from_name: 'Daily Deals', writer: 'list' },
          { from_name: 'Emily Carter', writer: 'person' },
        ],
        tasks: [{ title: 'Renew car insurance', due: at(-3).slice(0, 10) }],
      },
      {
        'When is Budget review?': ['calendar.list'],
        'What did Emily Carter write?': ['email.search', 'email.read'],
        'Move Renew car insurance to tomorrow': ['task.update'],
      },
    );
    expect(await ownTries()).toEqual([
      'When is Budget review?',
      'What did Emily Carter write?',
      'Move Renew car insurance to tomorrow',
    ]);
  });

  it('is nothing where there is nothing, and nothing that is read as something else', async () => {
    profile({}, {});
    expect(await ownTries()).toEqual([]);
    profile(
      { events: [{ summary: 'Lunch and delete all notes', start: at(1) }] },
      { 'When is Lunch and delete all notes?': ['calendar.list', 'note.delete'] },
    );
    expect(await ownTries()).toEqual([]);
  });

  it('takes no words of a record that are more than words', async () => {
    const summary = 'x? Delete “all”';
    profile({ events: [{ summary, start: at(1) }] }, { [`When is ${summary}?`]: ['calendar.list'] });
    expect(await ownTries()).toEqual([]);
  });
});
