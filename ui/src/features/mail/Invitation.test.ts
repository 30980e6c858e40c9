import { render, screen, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventRow, MailInvitation } from '../../host';
import { fake } from '../../host/fake';
import { clock } from '../../kit/clock.svelte';
import { eventually } from '../../kit/test/eventually';
import Invitation from './Invitation.svelte';

const guest = (name: string, email: string, status = 'needs-action') => ({ name, email, status });

const event: EventRow = {
  ...{ id: '', uid: 'lunch@work', summary: 'Team lunch', tz: 'America/New_York', all_day: false },
  ...{ start: '2026-01-15T12:00:00-05:00', end: '2026-01-15T13:00:00-05:00', location: 'Canteen', description: '' },
  ...{ attendees: ['mara@northwind.example', 'raj.patel@northwind.example'], calendar: 'Personal', instance: null },
  guests: [guest('', 'mara@northwind.example'), guest('Raj Patel', 'raj.patel@northwind.example', 'accepted')],
  organizer: guest('Hannah Voss', 'hannah.voss@kelm-estates.example', ''),
  ...{ rrule: null, repeats: null },
};

const invitation: MailInvitation = {
  ...{ kind: 'request', standing: 'new', event, more: 0, answer: null, answered: null, genuine: true },
  ...{ can_answer: true, can_enter: true, overlaps: [] },
};

function shown(more: Partial<MailInvitation>) {
  fake.invitations = { 'mail-raj': { ...invitation, ...more } };
  return render(Invitation, { id: 'mail-raj' });
}

const applied = () => fake.calls.flatMap(({ op, args }) => (op === 'apply' ? [args] : []));

beforeEach(() => {
  clock.tz = 'America/New_York';
  fake.invitations = {};
});

describe('an invitation in a mail', () => {
  it('says who invites to what, when and where, and what else is on then', async () => {
    const other = { ...event, id: 'e-1', summary: 'Dentist', end: '2026-01-15T12:30:00-05:00' };
    shown({ overlaps: [other] });
    const card = within(await screen.findByRole('region', { name: 'Hannah Voss invites you' }));
    for (const text of ['Team lunch', /Canteen/, 'At the same time: Dentist, 12:00–12:30']) {
      expect(card.getByText(text)).toBeTruthy();
    }
    expect(card.getByText(/Thu 15 Jan, 12:00–13:00/)).toBeTruthy();
    expect(card.queryByRole('link')).toBeNull();
  });

  it('is answered with one press, by the mail that carries it', async () => {
    shown({});
    await userEvent.click(await screen.findByRole('button', { name: 'Maybe' }));
    await eventually(() =>
      expect(applied()).toEqual([{ tool: 'calendar.respond', args: { mail: 'mail-raj', response: 'tentative' } }]),
    );
  });

  it('shows the answer that the calendar has, and leads there', async () => {
    shown({ standing: 'current', answer: 'accepted', can_enter: false, event: { ...event, id: 'e-1' } });
    const accept = await screen.findByRole('button', { name: 'Accept' });
    expect(accept.getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByText('In your calendar; you have accepted.')).toBeTruthy();
    expect(screen.getByRole('link').getAttribute('href')).toContain('2026-01-15');
  });

  it('offers to enter what asks for no answer', async () => {
    shown({ kind: 'publish', can_answer: false });
    await userEvent.click(await screen.findByRole('button', { name: 'Add to calendar' }));
    await eventually(() => expect(applied()).toEqual([{ tool: 'calendar.enter', args: { id: 'mail-raj' } }]));
    expect(screen.queryByRole('group')).toBeNull();
  });

  it('warns of a sender who may not speak for the event', async () => {
    shown({ genuine: false });
    expect(await screen.findByText('The mail does not come from the organizer of this event.')).toBeTruthy();
  });

  it.each([
    [{ kind: 'cancel', standing: 'changed' } as const, 'Hannah Voss has cancelled this event', 'Mark as cancelled'],
    [
      { kind: 'reply', standing: 'changed', answered: guest('Raj Patel', 'raj@x.example', 'declined') } as const,
      'Raj Patel has declined',
      'Note it in the calendar',
    ],
  ])('takes note of a cancellation or an answer', async (more, head, button) => {
    shown({ ...more, can_answer: false });
    await screen.findByRole('region', { name: head });
    expect(screen.getByRole('button', { name: button })).toBeTruthy();
  });

  it('is not there for a mail that carries none', async () => {
    render(Invitation, { id: 'mail-policy' });
    await eventually(() => expect(fake.calls.some(({ op }) => op === 'mail_invitation')).toBe(true));
    expect(screen.queryByRole('region')).toBeNull();
  });
});
