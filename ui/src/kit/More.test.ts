import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import Tasks from '../features/tasks/Tasks.svelte';
import type { TaskRow } from '../host';
import { fake } from '../host/fake';

describe('a list of which only a part is loaded', () => {
  it('says how much is shown, and goes on with one press', async () => {
    const [task] = fake.world.tables.tasks as TaskRow[];
    if (!task) throw new Error('no rows');
    fake.world.tables.tasks = Array.from({ length: 260 }, (_, n) => ({
      ...structuredClone(task),
      id: `task-${n}`,
      title: `Task ${n}`,
      due: null,
      status: 'open' as const,
    }));
    render(Tasks, { id: null });
    await screen.findByText('200 of 260');
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await expect.poll(() => screen.queryByText('200 of 260')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    const asked = fake.calls.filter((call) => call.op === 'show' && (call.args as { what: string }).what === 'tasks');
    expect(asked.map((call) => (call.args as { limit: number }).limit)).toEqual([200, 400]);
  });
});
