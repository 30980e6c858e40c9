import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import type { TaskRow } from '../../host';
import Tasks from './Tasks.svelte';

const all = () => fake.world.tables.tasks as TaskRow[];

describe('the list of open tasks', () => {
  it('says that everything is done where done tasks are left', async () => {
    fake.world.tables.tasks = all().filter((task) => task.status === 'done');
    render(Tasks, { id: null });
    await screen.findByText('Everything is done');
    expect(screen.queryByText('No tasks yet')).toBeNull();
  });

  it('says how to begin where there never was one', async () => {
    fake.world.tables.tasks = [];
    render(Tasks, { id: null });
    await screen.findByText('No tasks yet');
  });

  it('asks for open tasks only, and shows a done one that the address names', async () => {
    const done = all().find((task) => task.status === 'done');
    render(Tasks, { id: done?.id ?? '' });
    expect(await screen.findByDisplayValue(done?.title ?? '')).toBeTruthy();
    const asked = fake.calls.flatMap((call) =>
      call.op === 'show' ? [call.args as { what: string; only?: object }] : [],
    );
    expect(asked.find((one) => one.what === 'tasks' && one.only)?.only).toEqual({ done: false });
  });
});
