import { render, screen, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { host, type Check } from '../../host';
import Health from './Health.svelte';

const check = (name: string, state: string, found: string, hint = ''): Check => ({ name, state, found, hint });
const all = [
  check('Storage', 'ok', 'the database is sound'),
  check('Model Lab', 'ok', 'lab.example/v1, standard: qwen3-4b; it answers'),
  check('Web search', 'optional', 'No search engine for the web is chosen.', 'Choose one.'),
  check('Time', 'missing', 'the system has no time zone set, so times are in UTC', 'Choose a time zone.'),
];
const shown = async () => {
  const call = host.call.bind(host);
  vi.spyOn(host, 'call').mockImplementation(((op: never, args: never) =>
    op === 'doctor' ? Promise.resolve({ checks: all }) : call(op, args)) as never);
  render(Health);
  await screen.findByText('1 thing needs you.');
};
/** The names of the rows of a list, without what is folded. */
const names = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map((row) => row.querySelector('.m')?.textContent);

describe('the check', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('has what is to be done first, and then in one line each what is in order', async () => {
    await shown();
    const [open, fine] = screen.getAllByRole('list') as [HTMLElement, HTMLElement];
    expect(names(open)).toEqual(['Time zone', 'Web search']);
    expect(within(open).getByText('Choose a time zone.')).toBeTruthy();
    expect(names(fine)).toEqual(['Database', 'Model “Lab”']);
    expect(within(fine).queryByRole('button')).toBeNull();
  });

  it('shows no words of the engine but where they are asked for, and copies them from there', async () => {
    await shown();
    for (const list of screen.getAllByRole('list')) {
      expect(list.textContent).not.toMatch(/the database is sound|qwen3-4b|Storage/);
    }
    const folded = document.querySelector('details')!;
    expect(folded.open).toBe(false);
    expect(folded.textContent).toContain('lab.example/v1, standard: qwen3-4b; it answers');
    const copied = vi.spyOn(host, 'copy').mockResolvedValue(undefined);
    await userEvent.click(within(folded).getByText('Copy'));
    expect(copied.mock.calls[0]?.[0]).toContain('Storage: the database is sound\n');
  });
});
