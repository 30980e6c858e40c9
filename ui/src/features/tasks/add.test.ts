import { describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { addTask } from './add';

describe('a line that becomes a task', () => {
  it('is the title itself when nothing was read, and nothing when it is blank', async () => {
    expect(await addTask('  Buy stamps ')).toBe(true);
    expect(fake.world.tables.tasks[0]?.title).toBe('Buy stamps');
    const before = fake.calls.length;
    expect(await addTask('   ')).toBe(false);
    expect(fake.calls.length).toBe(before);
  });
});
