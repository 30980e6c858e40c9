import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { router } from '../../kit/router.svelte';
import { eventually } from '../../kit/test/eventually';
import Mail from './Mail.svelte';

const rows = () => [...document.querySelectorAll<HTMLElement>('.mrow')];
const idOf = (row: HTMLElement) => row.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? '';

async function shown(id: string | null = null) {
  const { rerender } = render(Mail, { id });
  await eventually(() => expect(rows().length).toBeGreaterThan(2));
  return rerender;
}

describe('a mail opened by a search', () => {
  it('takes the focus along from the row that had it', async () => {
    const rerender = await shown();
    rows()[0]?.focus();
    const wanted = rows()[2] as HTMLElement;
    await rerender({ id: idOf(wanted) });
    await eventually(() => expect(document.activeElement).toBe(wanted));
  });

  it('leaves the focus where it is outside the list', async () => {
    const rerender = await shown();
    const search = screen.getByRole('searchbox', { name: 'Search mail' });
    search.focus();
    await rerender({ id: idOf(rows()[2] as HTMLElement) });
    await eventually(() => expect(rows()[2]?.getAttribute('aria-current')).toBe('true'));
    expect(document.activeElement).toBe(search);
  });
});

describe('a mail in a narrow window', () => {
  const narrow = document.createElement('style');
  narrow.textContent = '.split.is-open > .list, .split:not(.is-open) > .detail { display: none }';
  beforeEach(() => {
    document.head.append(narrow);
    // jsdom lacks this: the rows are hidden.
    Element.prototype.checkVisibility ??= () => false;
  });
  afterEach(() => narrow.remove());

  it('has the focus once it is opened by mouse, and Escape leads back to its row', async () => {
    const rerender = await shown();
    const row = rows()[1] as HTMLElement;
    await userEvent.click(row);
    await rerender({ id: idOf(row) });
    expect(document.activeElement).toBe(document.querySelector('.detail'));
    await userEvent.keyboard('{Escape}');
    await eventually(() => expect(router.route).toEqual({ surface: 'mail', id: null }));
    await rerender({ id: null });
    expect(document.activeElement).toBe(row);
  });

  it('keeps Escape for a field in which something is typed', async () => {
    const rerender = await shown();
    await rerender({ id: idOf(rows()[1] as HTMLElement) });
    router.go('mail', idOf(rows()[1] as HTMLElement));
    await userEvent.click(await screen.findByRole('button', { name: /^Reply/ }));
    await userEvent.type((await screen.findAllByRole('textbox')).at(-1) as HTMLElement, 'Yes{Escape}');
    expect(router.route.id).not.toBeNull();
  });
});
