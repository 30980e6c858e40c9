import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fake } from '../../host/fake';
import { router } from '../../kit/router.svelte';
import { eventually } from '../../kit/test/eventually';
import Mail from './Mail.svelte';

const rows = () => [...document.querySelectorAll<HTMLElement>('.mrow')];
const idOf = (row: HTMLElement) => row.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? '';

async function shown(id: string | null = null) {
  const { rerender } = render(Mail, { id });
  // The window gives the surface its new place at once.
  const replace = router.replace.bind(router);
  vi.spyOn(router, 'replace').mockImplementation((surface, to) => {
    replace(surface, to);
    void rerender({ id: to ?? null });
  });
  await eventually(() => expect(rows().length).toBeGreaterThan(2));
  return rerender;
}

afterEach(() => void vi.restoreAllMocks());

describe('a mail that is archived', () => {
  const wide = document.createElement('style');
  wide.textContent = '.split > * { display: block }';
  beforeEach(() => {
    document.head.append(wide);
  });
  afterEach(() => wide.remove());
  const marked = () =>
    fake.calls.flatMap(({ op, args }) => {
      const call = args as { tool: string; args: { ids: string[] } };
      return op === 'apply' && call.tool === 'email.mark' ? call.args.ids : [];
    });

  it('leads to the next one with the focus, and not to the first; that one does not count as read', async () => {
    fake.world.tables.mail = fake.world.tables.mail.map((mail) => ({ ...mail, read: false }));
    const rerender = await shown();
    const [, second, third] = rows().map(idOf);
    router.go('mail', second ?? '');
    await rerender({ id: second });
    rows()[1]?.focus();
    await screen.findByRole('toolbar', { name: 'This thread' });
    await userEvent.keyboard('e');
    await eventually(() => expect(router.route.id).toBe(third));
    await eventually(() => expect(rows().map(idOf)).not.toContain(second));
    await eventually(() => expect(document.activeElement).toBe(rows()[1]));
    expect(idOf(rows()[1] as HTMLElement)).toBe(third);
    await screen.findByRole('toolbar', { name: 'This thread' });
    expect(marked()).toEqual([second]);
  });

  it('leads to the last one from the end of the list', async () => {
    const rerender = await shown();
    const [before, last] = rows().map(idOf).slice(-2);
    router.go('mail', last ?? '');
    await rerender({ id: last });
    await screen.findByRole('toolbar');
    await userEvent.keyboard('e');
    await eventually(() => expect(router.route.id).toBe(before));
  });
});

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
