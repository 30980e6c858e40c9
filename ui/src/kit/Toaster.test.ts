import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOAST_MS, toasts } from './toast.svelte';
import Toaster from './Toaster.svelte';

const shown = () => screen.queryByText(/Saved|Deleted/)?.textContent ?? null;
const show = (text: string) => {
  toasts.show(text, { label: 'Undo', run: () => undefined });
  flushSync();
};
const pass = (ms: number) => {
  vi.advanceTimersByTime(ms);
  flushSync();
};

describe('a toast on the screen', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    toasts.current = null;
    render(Toaster);
  });
  afterEach(() => void vi.useRealTimers());

  it('stays while someone is on it, and goes a while after', async () => {
    show('Saved');
    const toast = document.querySelector('.toast') as HTMLElement;
    await fireEvent.pointerEnter(toast);
    pass(TOAST_MS * 3);
    expect(shown()).toBe('Saved');
    await fireEvent.pointerLeave(toast);
    pass(TOAST_MS - 1);
    expect(shown()).toBe('Saved');
    pass(1);
    expect(shown()).toBeNull();
  });

  it('stays while its button has the focus, also when the pointer goes', async () => {
    show('Saved');
    const toast = document.querySelector('.toast') as HTMLElement;
    await fireEvent.pointerEnter(toast);
    await fireEvent.focusIn(screen.getByRole('button', { name: 'Undo' }));
    await fireEvent.pointerLeave(toast);
    pass(TOAST_MS * 3);
    expect(shown()).toBe('Saved');
  });

  // An element removed under the pointer fires no leave event.
  it('goes by itself although the one before it was held when it was replaced', async () => {
    show('Saved');
    await fireEvent.pointerEnter(document.querySelector('.toast') as HTMLElement);
    show('Deleted');
    pass(TOAST_MS);
    expect(shown()).toBeNull();
  });

  it('goes by itself although one before it was held when something else closed it', async () => {
    show('Saved');
    await fireEvent.pointerEnter(document.querySelector('.toast') as HTMLElement);
    toasts.current = null;
    flushSync();
    show('Deleted');
    pass(TOAST_MS);
    expect(shown()).toBeNull();
  });

  it('gives the focus back to where it was', async () => {
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    show('Saved');
    screen.getByRole('button', { name: 'Undo' }).focus();
    await fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(shown()).toBeNull();
    expect(document.activeElement).toBe(field);
    field.remove();
  });
});
