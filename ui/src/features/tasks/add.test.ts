import { describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { addTask, taskOf } from './add';

describe('a line that becomes a task', () => {
  it('takes what the engine read when that is one new task', () => {
    const due = '2026-01-14T09:00:00-05:00[America/New_York]';
    expect(taskOf([{ tool: 'task.create', args: { title: 'Call the bank', due, notes: null } }])).toEqual({
      title: 'Call the bank',
      due,
    });
  });
  it('takes nothing from any other plan', () => {
    expect(taskOf([])).toBeNull();
    expect(taskOf([{ tool: 'email.send', args: { title: 'x' } }])).toBeNull();
    expect(taskOf([{ tool: 'task.create', args: { title: '' } }])).toBeNull();
    expect(taskOf([{ tool: 'task.create', args: { title: { $from: 's1' } } }])).toBeNull();
    expect(
      taskOf([
        { tool: 'task.create', args: { title: 'a' } },
        { tool: 'task.create', args: { title: 'b' } },
      ]),
    ).toBeNull();
    expect(taskOf(['task.create', 3])).toBeNull();
  });
  it('is the title itself when nothing was read, and nothing when it is blank', async () => {
    expect(await addTask('  Buy stamps ')).toBe(true);
    expect(fake.world.tables.tasks[0]?.title).toBe('Buy stamps');
    const before = fake.calls.length;
    expect(await addTask('   ')).toBe(false);
    expect(fake.calls.length).toBe(before);
  });
});
