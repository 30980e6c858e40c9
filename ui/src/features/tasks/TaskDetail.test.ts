import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import type { TaskRow } from '../../host';
import { clock } from '../../kit/clock.svelte';
import { eventually } from '../../kit/test/eventually';
import TaskDetail from './TaskDetail.svelte';
import Tasks from './Tasks.svelte';

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.now = () => Date.parse('2026-01-13T09:24:00-05:00');
});

const changes = () =>
  fake.calls.flatMap(({ op, args }) => (op === 'apply' ? [(args as { args: { changes: unknown } }).args.changes] : []));
const ids = () =>
  fake.calls.flatMap(({ op, args }) => (op === 'apply' ? [(args as { args: { id: string } }).args.id] : []));
const task = (id = 't-lease'): TaskRow => {
  const found = fake.world.tables.tasks.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found;
};
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

describe('the date of a task', () => {
  it('is stored once, when the field is left, and not while it is typed', async () => {
    render(TaskDetail, { task: { ...task(), due: '2026-01-16' } });
    const day = field('Due on');
    // The values a browser reports while the person types 03/15/2027.
    for (const value of ['2026-03-16', '2026-03-15', '0002-03-15', '0020-03-15', '0202-03-15', '2027-03-15']) {
      await fireEvent.input(day, { target: { value } });
      await fireEvent.change(day);
    }
    expect(changes()).toEqual([]);
    await fireEvent.blur(day);
    expect(changes()).toEqual([{ due: '2027-03-15' }]);
    await fireEvent.blur(day);
    expect(changes().length).toBe(1);
  });

  it('is stored by Enter, left alone by Escape, and refused with words in a year nobody means', async () => {
    render(TaskDetail, { task: { ...task(), due: '2026-01-16' } });
    const day = field('Due on');
    await fireEvent.input(day, { target: { value: '0202-03-15' } });
    await fireEvent.blur(day);
    expect(screen.getByRole('alert').textContent).toBe('Type a year from 1900 to 9999.');
    expect(day.getAttribute('aria-invalid')).toBe('true');
    await fireEvent.keyDown(day, { key: 'Escape' });
    expect([day.value, screen.queryByRole('alert'), changes()]).toEqual(['Fri 16 Jan', null, []]);
    await fireEvent.input(day, { target: { value: '2026-02-01' } });
    await fireEvent.keyDown(day, { key: 'Enter' });
    await fireEvent.blur(day);
    expect(changes()).toEqual([{ due: '2026-02-01' }]);
  });

  it('is typed as one says it, and what is no date is said to be none', async () => {
    render(TaskDetail, { task: { ...task(), due: null } });
    const day = field('Due on');
    expect([day.value, day.placeholder]).toEqual(['', 'No date']);
    await fireEvent.input(day, { target: { value: 'some day' } });
    await fireEvent.blur(day);
    expect(screen.getByRole('alert').textContent).toContain('This is no date.');
    expect([day.value, changes()]).toEqual(['some day', []]);
    await fireEvent.input(day, { target: { value: 'Fri 16' } });
    await fireEvent.keyDown(day, { key: 'Enter' });
    expect([day.value, changes()]).toEqual(['Fri 16 Jan', [{ due: '2026-01-16' }]]);
  });

  it('goes with its time when the day is cleared', async () => {
    render(TaskDetail, { task: { ...task(), due: '2026-01-16T15:00:00-05:00' } });
    expect(field('At').value).toBe('15:00');
    await userEvent.clear(field('Due on'));
    await userEvent.tab();
    await waitFor(() => expect(changes()).toEqual([{ clear_due: true }]));
    expect(field('At').value).toBe('');
  });

  it('keeps the day just typed when the time follows before it is stored', async () => {
    render(TaskDetail, { task: { ...task(), due: null } });
    await fireEvent.input(field('Due on'), { target: { value: '2026-02-01' } });
    void fireEvent.blur(field('Due on'));
    await fireEvent.input(field('At'), { target: { value: '15:00' } });
    await fireEvent.blur(field('At'));
    const both = '2026-02-01T15:00:00-05:00[America/New_York]';
    await waitFor(() => expect(changes()).toEqual([{ due: '2026-02-01' }, { due: both }]));
  });

  it('is shown as it is stored when it could not be', async () => {
    fake.reset('read-only', 0);
    render(TaskDetail, { task: { ...task(), due: '2026-01-16', remind_at: null } });
    const day = field('Due on');
    await fireEvent.input(day, { target: { value: '2026-02-01' } });
    await fireEvent.blur(day);
    await waitFor(() => expect(day.value).toBe('Fri 16 Jan'));
    const remind = field('Remind me');
    await fireEvent.input(remind, { target: { value: '2026-02-01T10:00' } });
    await fireEvent.blur(remind);
    await waitFor(() => expect(remind.value).toBe(''));
  });

  it('is stored when something else is shown before the field was left', async () => {
    const { unmount } = render(TaskDetail, { task: { ...task(), due: '2026-01-16' } });
    await fireEvent.input(field('Due on'), { target: { value: '2026-02-01' } });
    unmount();
    await waitFor(() => expect(changes()).toEqual([{ due: '2026-02-01' }]));
  });

  it('is stored with the task it was typed for when another one is shown by then', async () => {
    const [first, second] = fake.world.tables.tasks.filter((one) => one.status !== 'done');
    const { rerender } = render(Tasks, { id: first?.id ?? '' });
    await eventually(() => expect(field('Due on')).toBeTruthy());
    await fireEvent.input(field('Due on'), { target: { value: '2026-02-01' } });
    await rerender({ id: second?.id ?? '' });
    await waitFor(() => expect(ids()).toEqual([first?.id]));
  });

  it('of a reminder is stored when the field is left', async () => {
    render(TaskDetail, { task: { ...task(), remind_at: null } });
    const remind = field('Remind me');
    await fireEvent.input(remind, { target: { value: '0002-02-01T10:00' } });
    await fireEvent.input(remind, { target: { value: '2026-02-01T10:00' } });
    await fireEvent.change(remind);
    expect(changes()).toEqual([]);
    await fireEvent.blur(remind);
    expect(changes()).toEqual([{ remind_at: '2026-02-01T10:00:00-05:00[America/New_York]' }]);
  });
});

describe('a change that is refused', () => {
  it('does not stay on screen as if it were stored', async () => {
    fake.reset('read-only', 0);
    render(TaskDetail, { task: { ...task(), priority: 'high' } });
    const priority = screen.getByLabelText<HTMLSelectElement>('Priority');
    await userEvent.selectOptions(priority, 'low');
    await waitFor(() => expect(priority.value).toBe('high'));
    const title = field('Task');
    await userEvent.type(title, ' now');
    await userEvent.tab();
    await waitFor(() => expect(title.value).toBe(task().title));
  });

  it('leaves a text where it is, says so, and can be tried again', async () => {
    fake.reset('read-only', 0);
    render(TaskDetail, { task: { ...task(), notes: '' } });
    const notes = screen.getByLabelText<HTMLTextAreaElement>('Notes');
    await userEvent.type(notes, 'Ask for the old key');
    await userEvent.tab();
    await screen.findByText('Not saved. The text is still here.');
    expect(notes.value).toBe('Ask for the old key');
    fake.world.options.scenario = 'populated';
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(task().notes).toBe('Ask for the old key');
  });
});
