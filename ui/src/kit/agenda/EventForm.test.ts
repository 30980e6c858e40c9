import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fake } from '../../host/fake';
import { clock } from '../clock.svelte';
import { blank } from './event';
import EventForm from './EventForm.svelte';

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.now = () => Date.parse('2026-01-13T09:24:00-05:00');
});

const ondone = vi.fn();
const applied = () => fake.calls.filter(({ op }) => op === 'apply').length;
const saved = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

function opened(summary: string) {
  ondone.mockClear();
  render(EventForm, { shown: { mode: 'new', draft: blank('2026-01-14', 600, 660, { summary }) }, ondone });
  const [, end] = screen.getAllByLabelText<HTMLInputElement>('At');
  return { day: screen.getByLabelText<HTMLInputElement>('Ends on'), end: end as HTMLInputElement };
}

async function fill(field: HTMLElement, text: string) {
  await userEvent.clear(field);
  await userEvent.type(field, text);
}

describe('the form of an event', () => {
  it.each(['press', 'Enter'])(
    'stores nothing while a field shows an error, and leads to that field: %s',
    async (how) => {
      const { end } = opened('Review');
      await fill(end, '25:99');
      await (how === 'Enter' ? userEvent.keyboard('{Enter}') : saved());
      expect(screen.getByRole('alert').textContent).toContain('This is no time.');
      await waitFor(() => expect(document.activeElement).toBe(end));
      expect([applied(), ondone.mock.calls.length]).toEqual([0, 0]);
      await fill(end, '11:30{Enter}');
      await waitFor(() => expect(ondone).toHaveBeenCalled());
      expect(applied()).toBe(1);
    },
  );

  it('reads the end from the start, and does not make a mistake an event of a year', async () => {
    const { day } = opened('Review');
    await fill(day, 'Tue 13 Jan');
    await saved();
    expect([day.value, screen.getByRole('alert').textContent]).toEqual(['Tue 13 Jan', 'It ends before it starts.']);
    expect([day.getAttribute('aria-invalid'), applied()]).toEqual(['true', 0]);
    await waitFor(() => expect(document.activeElement).toBe(day));
    await fill(day, '12 Jan');
    await saved();
    expect([day.value, applied()]).toEqual(['Mon 12 Jan', 0]);
  });

  it('says at the title that it is missing, once the person wants to store', async () => {
    opened('');
    const title = screen.getByLabelText<HTMLInputElement>('Title');
    expect(title.getAttribute('aria-invalid')).toBeNull();
    await saved();
    await waitFor(() => expect(document.activeElement).toBe(title));
    const said = document.getElementById(title.getAttribute('aria-describedby') ?? '');
    expect([said?.textContent, said?.parentElement?.contains(title), applied()]).toEqual([
      'An event needs a title.',
      true,
      0,
    ]);
    await userEvent.type(title, 'Review');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
