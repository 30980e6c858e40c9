import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
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
