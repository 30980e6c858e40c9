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

  it('shows two lines of a long text, and the rest while someone is on it', async () => {
    show('Saved '.repeat(60));
    const words = () => screen.getByText(/Saved/).classList;
    expect([words().contains('brief'), words().contains('whole')]).toEqual([true, false]);
    await fireEvent.pointerEnter(document.querySelector('.toast') as HTMLElement);
    expect(words().contains('whole')).toBe(true);
  });

  it('keeps clear of what acts on a selection, also when that comes later', async () => {
    const app = document.body.appendChild(document.createElement('div'));
    app.className = 'app';
    const bar = (top: number, bottom: number) => {
      const made = document.createElement('section');
      made.dataset['keepClear'] = '';
      Object.defineProperty(made, 'offsetParent', { value: app });
      made.getBoundingClientRect = () => ({ top, bottom }) as DOMRect;
      return made;
    };
    const end = () => document.querySelector<HTMLElement>('.place')?.style.insetBlockEnd;
    show('Saved');
    expect(end()).toBe('');
    app.append(bar(innerHeight - 200, innerHeight - 10));
    await Promise.resolve();
    flushSync();
    expect(end()).toBe('208px');
    app.replaceChildren(bar(innerHeight - 500, innerHeight - 300));
    await Promise.resolve();
    flushSync();
    expect(end()).toBe('');
    app.remove();
  });
});
