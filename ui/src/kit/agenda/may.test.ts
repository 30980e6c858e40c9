import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { host, type AccountRow, type EventRow, type GuestRow } from '../../host';
import { fake } from '../../host/fake';
import { collections, events } from '../../host/fake/rows';
import EventMore from './EventMore.svelte';
import { fixedText, inviterOf, ownReply, type Known } from './may';

const holidays = { ...collections[0]!, id: 'col-h', account: 'acc_1', name: 'Work holidays', writable: false };
const account = { id: 'acc_1', kind: 'ics', label: 'Holidays' } as AccountRow;
const known: Known = { calendars: [...collections, holidays], accounts: [account], own: ['mara@northwind.example'] };
const guest = (email: string, status: string): GuestRow => ({ name: '', email, status });
const event: EventRow = { ...events[0]!, calendar: 'Work', rrule: null, instance: null, guests: [] };
const holiday: EventRow = { ...event, calendar: 'Work holidays' };

describe('what an event allows', () => {
  it('is no change in a calendar that is only read, and says why', () => {
    expect(fixedText(event, known)).toBeNull();
    expect(fixedText(holiday, known)).toBe('Work holidays is subscribed: it can only be read.');
    const shared = { ...known, accounts: [{ ...account, kind: 'caldav' }] };
    expect(fixedText(holiday, shared)).toBe('Work holidays can only be read: its account does not allow changes.');
    const twice = { ...known, calendars: [...known.calendars, { ...holidays, id: 'col-2', writable: true }] };
    expect(fixedText(holiday, twice)).toBeNull();
  });

  it('is an answer for a guest of somebody else', () => {
    const organizer = guest('ana@x.example', '');
    const invited = { ...event, organizer, guests: [guest('Mara@northwind.example', 'needs-action')] };
    expect(ownReply(invited, known)).toBe('needs-action');
    expect(inviterOf(invited, known)).toEqual(organizer);
    expect(ownReply({ ...invited, guests: [guest('ben@x.example', 'accepted')] }, known)).toBeNull();
    // One's own event, and one that nobody invites to.
    expect(ownReply({ ...invited, organizer: guest('Mara@northwind.example', '') }, known)).toBeNull();
    expect(ownReply({ ...event, guests: invited.guests }, known)).toBeNull();
  });
});

describe('the actions of an event', () => {
  beforeEach(() => {
    fake.world.collections = [...collections, holidays];
    vi.restoreAllMocks();
  });

  it('are none but to close it in a subscribed calendar', async () => {
    fake.world.accounts.rows = [...fake.world.accounts.rows, { ...fake.world.accounts.rows[0]!, ...account }];
    render(EventMore, { event: holiday, boxed: true });
    await screen.findByText('Work holidays is subscribed: it can only be read.');
    expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['Close']);
  });

  it('include the answer to an invitation, which goes through the gate', async () => {
    const real = host.call.bind(host);
    const call = vi.spyOn(host, 'call').mockImplementation((async (op: string, args: { key?: string }) => {
      if (op === 'config_get' && args.key === 'owner.emails')
        return { settings: [{ key: 'owner.emails', value: 'mara@northwind.example' }] };
      if (op === 'apply') return { outcome: { state: 'done', say: 'Accepted.', effect: null, output: null } };
      return real(op as never, args as never);
    }) as never);
    fake.world.changed('settings');
    const organizer = guest('ana@x.example', '');
    const guests = [guest('mara@northwind.example', 'needs-action')];
    render(EventMore, { event: { ...event, organizer, guests } });
    await screen.findByText('Invited by');
    await screen.findByRole('button', { name: 'Edit' });
    await userEvent.click(await screen.findByRole('button', { name: 'Accept' }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Accept' }).getAttribute('aria-pressed')).toBe('true'),
    );
    expect(call.mock.calls.filter(([op]) => op === 'apply').map(([, args]) => args)).toEqual([
      { tool: 'calendar.respond', args: { id: event.id, response: 'accepted' } },
    ]);
  });
});
