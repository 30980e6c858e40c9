import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { flushSync } from 'svelte';
import { host, type ApprovalState } from '../../host';
import { fake } from '../../host/fake';
import { approval, mailCard } from '../../host/fake/cards';
import { clock } from '../clock.svelte';
import { frame } from '../frame.svelte';
import { live } from '../live.svelte';
import { router } from '../router.svelte';
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

describe('the form of an event that needs approval', () => {
  const one = approval('act_9', 'calendar.create', mailCard, Date.parse('2026-01-13T09:24:00-05:00'));
  const becomes = (state: ApprovalState) => {
    live.approvals = [{ ...one, state }];
    flushSync();
  };

  async function asked() {
    live.approvals = [one];
    opened('Review');
    vi.spyOn(host, 'call').mockResolvedValueOnce({ outcome: { state: 'approval_needed', id: one.id } } as never);
    await saved();
    await waitFor(() => expect(frame.decide).toBe(one.id));
    expect(ondone).not.toHaveBeenCalled();
  }

  it('closes once the event is stored and its card is closed', async () => {
    await asked();
    becomes('executing');
    becomes('succeeded');
    expect(ondone).not.toHaveBeenCalled();
    frame.decide = null;
    flushSync();
    expect(ondone).toHaveBeenCalledTimes(1);
  });

  it.each(['denied', 'failed'] as const)('stays with what was filled in after it %s', async (state) => {
    await asked();
    becomes(state);
    frame.decide = null;
    flushSync();
    expect(ondone).not.toHaveBeenCalled();
    expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Review');
  });
});

describe('the form of an event on another page', () => {
  beforeEach(() => router.replace('calendar'));

  it('closes when nothing was changed', () => {
    opened('Review');
    router.replace('calendar', '2026-01-14');
    flushSync();
    expect(ondone).not.toHaveBeenCalled();
    router.replace('mail');
    flushSync();
    expect(ondone).toHaveBeenCalledTimes(1);
  });

  it('asks before it discards changes', async () => {
    opened('Review');
    await userEvent.type(screen.getByLabelText('Title'), ' of the plan');
    router.replace('mail');
    flushSync();
    expect(ondone).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Discard', hidden: true }));
    expect(ondone).toHaveBeenCalledTimes(1);
  });
});
