import { afterEach, describe, expect, it, vi } from 'vitest';
import { fake } from '../host/fake';
import { act, applied as ask, isBusy, single } from './act';
import { toasts } from './toast.svelte';

const applied = () => fake.calls.filter(({ op }) => op === 'apply').length;
afterEach(() => vi.useRealTimers());

describe('something done on a surface', () => {
  it('is done once however often it is pressed meanwhile, and again once it is done', async () => {
    const press = () => act('task.complete', { id: 't-lease' });
    const [one, two] = await Promise.all([press(), press()]);
    expect(one).not.toBeNull();
    expect(two).toBe(one);
    expect(applied()).toBe(1);
    await press();
    expect(applied()).toBe(2);
  });

  it('is reported in one line, however many things it was done to', async () => {
    const say = 'Archived 3 mails.\n\n- One\n- Two\n\nand 1 more';
    await ask(() =>
      Promise.resolve({ outcome: { state: 'done', say, effect: 'e1', receipt: null, id: null } as never }),
    );
    expect(toasts.current?.text).toBe('Archived 3 mails.');
  });

  it('does not swallow another change of the same record', async () => {
    await Promise.all([
      act('task.update', { id: 't-lease', changes: { priority: 'low' } }),
      act('task.update', { id: 't-lease', changes: { priority: 'high' } }),
    ]);
    expect(applied()).toBe(2);
    expect(fake.world.tables.tasks.find((one) => one.id === 't-lease')?.priority).toBe('high');
  });

  it('says that it is being done only when that takes longer than a moment', async () => {
    vi.useFakeTimers();
    fake.reset('populated', 500);
    const args = { id: 't-lease' };
    const done = act('task.complete', args);
    await vi.advanceTimersByTimeAsync(299);
    expect(isBusy('task.complete', args)).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(isBusy('task.complete', args)).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    await done;
    expect(isBusy('task.complete', args)).toBe(false);
  });

  it('takes the second click of a double click for none', () => {
    const run = vi.fn();
    const press = single(run);
    // A key press has detail 0.
    for (const detail of [1, 2, 0]) press(new MouseEvent('click', { detail }));
    expect(run).toHaveBeenCalledTimes(2);
  });
});
