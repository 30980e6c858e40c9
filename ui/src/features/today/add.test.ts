import { describe, expect, it, vi } from 'vitest';
import { host } from '../../host';
import { takeIn } from './add';

const plan = (tool: string, args: object) => ({ reading: { reading: 'plan', steps: [{ tool, args }] } });
const nothing = { reading: { reading: 'chat' } };

/** An engine that reads each line as given, and records what is applied. */
function engine(read: Record<string, unknown>): object[] {
  const done: object[] = [];
  vi.spyOn(host, 'call').mockImplementation(((op: string, asked: { text: string }) => {
    if (op === 'explain') return Promise.resolve(read[asked.text] ?? nothing);
    if (op === 'apply') done.push(asked);
    return Promise.resolve({ outcome: { state: 'done', say: '', effect: null, output: null } });
  }) as never);
  return done;
}

describe('a line of the day', () => {
  it('is a task of the day it names, and of the day that is shown where it names none', async () => {
    const done = engine({
      'Add a task: Send the lease to Greg tomorrow': plan('task.create', {
        title: 'Send the lease to Greg',
        due: '2026-01-14',
      }),
    });
    await takeIn('Send the lease to Greg tomorrow', '2026-01-13');
    await takeIn('Water the ferns', '2026-01-13');
    expect(done).toMatchObject([
      { tool: 'task.create', args: { title: 'Send the lease to Greg', due: '2026-01-14' } },
      { tool: 'task.create', args: { title: 'Water the ferns', due: '2026-01-13' } },
    ]);
  });

  it('is an event where it says a time', async () => {
    const done = engine({ 'Dentist at 3': plan('calendar.create', { summary: 'Dentist', start: '2026-01-13T15:00' }) });
    await takeIn('Dentist at 3', '2026-01-13');
    expect(done).toMatchObject([{ tool: 'calendar.create', args: { summary: 'Dentist' } }]);
  });
});
