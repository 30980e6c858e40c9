import { render, screen, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { clock } from '../../kit/clock.svelte';
import { eventually } from '../../kit/test/eventually';
import type { TaskRow } from '../../host';
import { fake } from '../../host/fake';
import Today from './Today.svelte';

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.now = () => Date.parse('2026-01-13T09:24:00-05:00');
});

describe('what is left today', () => {
  it('counts events, tasks due and overdue ones', async () => {
    render(Today, { id: null });
    // Four events, three tasks due today and one overdue.
    await eventually(() => expect(screen.getByText(/8 things left today/)).toBeTruthy());
  });

  it('is not nothing while tasks are overdue', async () => {
    fake.world.tables.events = [];
    fake.world.tables.tasks = fake.world.tables.tasks.filter((one) => one.id === 't-lease');
    render(Today, { id: null });
    await eventually(() => expect(screen.getByText(/1 thing left today/)).toBeTruthy());
  });
});

describe('a task whose time has passed', () => {
  it('stays with the tasks of its day and says that its reminder rang', async () => {
    const [task] = fake.world.tables.tasks.filter((one) => one.id === 't-board');
    Object.assign(task ?? {}, { due: '2026-01-13T09:05:00-05:00', remind_at: '2026-01-13T09:05:00-05:00' });
    render(Today, { id: null });
    const tasks = await screen.findByRole('region', { name: /^Tasks/ });
    const line = (await within(tasks).findByRole('link', { name: /Read the board draft/ })).closest('.task');
    expect(line?.textContent?.trim()).toMatch(/Overdue:\s*rang at 09:05$/);
    const overdue = screen.getByRole('region', { name: /^Overdue/ });
    expect(within(overdue).queryByRole('link', { name: /Read the board draft/ })).toBeNull();
  });

  it('heads the overdue ones when it was due last', async () => {
    const [some] = fake.world.tables.tasks as [TaskRow];
    // More than one part. The engine lists the earliest first.
    fake.world.tables.tasks = Array.from({ length: 28 }, (_, at) => {
      const day = String(at + 1).padStart(2, '0');
      return { ...some, id: `late-${day}`, title: `Late ${day}`, notes: '', due: `2025-11-${day}` };
    });
    render(Today, { id: null });
    const overdue = await screen.findByRole('region', { name: /^Overdue/ });
    const names = within(overdue)
      .getAllByRole('link', { name: /^Late/ })
      .map((one) => one.textContent?.trim());
    expect(names).toEqual(['Late 28', 'Late 27', 'Late 26', 'Late 25', 'Late 24']);
    within(overdue).getByText('23 more');
  });
});

describe('the next seven days', () => {
  it('hold the tasks due in them, on their day', async () => {
    render(Today, { id: null });
    const week = await screen.findByRole('region', { name: 'Next 7 days' });
    const task = await within(week).findByRole('link', { name: /Book the London train/ });
    const day = task.closest('.day') as HTMLElement;
    expect(within(day).getByText('Fri 16 Jan')).toBeTruthy();
    expect(within(day).getByText('09:00')).toBeTruthy();
    expect(within(week).queryByText(/Renew passport/)).toBeNull();
  });
});

describe('a task done today', () => {
  it('stands without a time, which would read as the time it is due', async () => {
    render(Today, { id: null });
    const done = await screen.findByRole('link', { name: /Approve Priya/ });
    expect(done.closest('.task')?.textContent).not.toContain('08:40');
  });
});

describe('a task completed by Space', () => {
  const focused = () => (document.activeElement as HTMLElement).dataset['task'];

  it('hands the focus to the next task, from where J goes on', async () => {
    render(Today, { id: null });
    (await screen.findByRole('link', { name: /Renew passport/ })).focus();
    await userEvent.keyboard(' ');
    await eventually(() => expect(focused()).toBe('t-board'));
    await userEvent.keyboard('j');
    expect(focused()).toBe('t-plants');
  });

  it('keeps the focus when it was the last one', async () => {
    fake.world.tables.tasks = fake.world.tables.tasks.filter((one) => one.id === 't-passport');
    render(Today, { id: null });
    (await screen.findByRole('link', { name: /Renew passport/ })).focus();
    await userEvent.keyboard(' ');
    await eventually(() => expect(document.activeElement?.closest('.is-done')).toBeTruthy());
    expect(focused()).toBe('t-passport');
  });
});
