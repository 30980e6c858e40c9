// The rows of a day: tasks, events and their calendars.
import type { CollectionRow, EventRow, GuestRow, TaskRow } from '../wire';
import { instant, ZONE } from './moments';

const task = (id: string, title: string, due: string | null, more: Partial<TaskRow> = {}): TaskRow => ({
  id,
  title,
  due,
  notes: '',
  remind_at: null,
  priority: 'medium',
  status: 'open',
  rrule: null,
  repeats: null,
  start: null,
  tags: [],
  place: null,
  completed_at: null,
  ...more,
});

export const tasks: TaskRow[] = [
  task('t-lease', 'Send signed lease to Hannah', '2026-01-12', {
    notes: 'In the reply that waits for approval',
    priority: 'high',
  }),
  task('t-board', 'Read the board draft', '2026-01-13T16:00:00-05:00'),
  task('t-passport', 'Renew passport', '2026-01-13', { notes: 'Expires 2 April' }),
  task('t-plants', 'Water the plants', '2026-01-13T18:00:00-05:00', {
    priority: 'low',
    rrule: 'FREQ=WEEKLY;BYDAY=TU',
    repeats: 'every week on Tue',
    remind_at: '2026-01-13T18:00:00-05:00',
  }),
  task('t-train', 'Book the London train', '2026-01-16T09:00:00-05:00', { remind_at: '2026-01-16T09:00:00-05:00' }),
  task('t-tax', 'Collect receipts for the tax return', null, { priority: 'low', tags: ['home'] }),
  task('t-leave', 'Approve Priya’s leave', '2026-01-13', {
    status: 'done',
    completed_at: '2026-01-13T08:40:00-05:00',
  }),
];

const event = (id: string, summary: string, start: string, end: string, more: Partial<EventRow> = {}): EventRow => ({
  id,
  uid: `${id}@adjutant`,
  summary,
  start,
  end,
  tz: start.includes('T') ? ZONE : '',
  all_day: !start.includes('T'),
  location: '',
  description: '',
  attendees: [],
  guests: guestsOf(more.attendees ?? []),
  rrule: null,
  repeats: null,
  calendar: 'Work',
  instance: null,
  ...more,
});

/** Guests who have not answered; their names come from addresses such as `priya.nair@…`. */
export function guestsOf(people: readonly string[]): GuestRow[] {
  return people.map((email) => ({ name: nameIn(email), email, status: 'needs-action' }));
}

const nameIn = (email: string) =>
  (email.split('@')[0] ?? '')
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ');

export const events: EventRow[] = [
  event('e-standup', 'Stand-up', '2026-01-13T09:00:00-05:00', '2026-01-13T09:15:00-05:00', { calendar: 'Team' }),
  event('e-pricing', 'Pricing review', '2026-01-13T10:00:00-05:00', '2026-01-13T11:00:00-05:00', {
    attendees: ['priya.nair@northwind.example', 'tomas.keller@northwind.example'],
    location: 'Video call',
  }),
  event('e-dentist', 'Dentist, Dr. Okafor', '2026-01-13T11:30:00-05:00', '2026-01-13T12:15:00-05:00', {
    calendar: 'Personal',
    location: '12 Ferry Street',
  }),
  event('e-lunch', 'Lunch with Ana', '2026-01-13T13:00:00-05:00', '2026-01-13T13:30:00-05:00', {
    location: 'Fig & Olive',
  }),
  event('e-board', 'Board pre-read', '2026-01-13T16:00:00-05:00', '2026-01-13T17:00:00-05:00', { location: 'Room 4B' }),
  event('e-raj', 'Mara / Raj', '2026-01-14T10:00:00-05:00', '2026-01-14T10:30:00-05:00', {
    attendees: ['raj.patel@northwind.example'],
    rrule: 'FREQ=WEEKLY;BYDAY=WE',
    repeats: 'every week on Wed',
    instance: '2026-01-14T10:00:00-05:00[America/New_York]',
  }),
  event('e-offsite', 'Team offsite', '2026-01-15', '2026-01-16', { calendar: 'Team' }),
];

const CROWD = 10_000;
const CROWD_DAYS = 28;
const QUARTER_MS = 15 * 60_000;

/** Ten thousand events around today; most of them overlap others. */
export function crowd(): EventRow[] {
  const first = Date.parse('2026-01-05T00:00:00-05:00');
  return Array.from({ length: CROWD }, (_, n) => {
    const start = first + (n % CROWD_DAYS) * 86_400_000 + ((n * 7) % 96) * QUARTER_MS;
    return event(`e-${n}`, `Event ${n + 1}`, instant(start), instant(start + QUARTER_MS * (1 + (n % 5))));
  });
}

export const collections: CollectionRow[] = ['Personal', 'Team', 'Work'].map((name) => ({
  id: `col-${name.toLowerCase()}`,
  account: 'local',
  kind: 'calendar',
  name,
  colour: null,
  writable: true,
  preferred: name === 'Work',
}));
