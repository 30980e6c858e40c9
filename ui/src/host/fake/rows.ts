import type {
  ActivityRow,
  ConversationRow,
  EgressRow,
  ImportRow,
  CollectionRow,
  EventRow,
  GuestRow,
  JobRow,
  MemoryRow,
  NoteRow,
  OutboxRow,
  PlanRow,
  TaskRow,
} from '../wire';

export { contacts, mails } from './people';

/** The fake's world starts here, in this zone; it is the day the mocks show. */
export const START = '2026-01-13T09:24:00-05:00';
export const ZONE = 'America/New_York';
const OFFSET_MS = -5 * 3_600_000;

/** An instant as the engine writes it: in the person's zone, to the second. */
export const instant = (ms: number): string => new Date(ms + OFFSET_MS).toISOString().replace(/\.\d+Z$/, '-05:00');

let digests = 0;
/** Another digest each time. */
export function digest(): string {
  digests += 1;
  return digests.toString(16).padStart(64, '9f2c41ab07de55e1c0ffee00');
}

const talk = (id: string, title: string, updated: string): ConversationRow => ({
  id,
  title,
  updated,
  created: updated,
  messages: 2,
  pinned: false,
  archived: false,
});

export const conversations: ConversationRow[] = [
  talk('main', 'Move the 1:1 with Raj', '2026-01-13T09:23:00-05:00'),
  talk('c-bank', 'Reminder for the bank', '2026-01-12T17:10:00-05:00'),
  talk('c-lease', 'Lease renewal letter', '2026-01-12T08:30:00-05:00'),
];

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

/** Guests who have not answered, with the names that addresses such as `priya.nair@…` hold. */
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

/** Ten thousand events around today, most of them at the same time as others. */
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

export const notes: NoteRow[] = [
  {
    id: 'n-raj',
    title: 'Notes from 1:1 with Raj',
    body: '# Notes from 1:1 with Raj\n\n- London office since November, nothing after 18:00 there\n- Wants the Q4 totals before Thursday\n- Asked about **parental leave** cover in March\n',
    tags: [],
    created: '2026-01-07T10:40:00-05:00',
    updated: '2026-01-07T10:40:00-05:00',
  },
  {
    id: 'n-alarm',
    title: 'Alarm code',
    body: 'The alarm code changed on 5 January. Ask Tomás for the new one.',
    tags: [],
    created: '2026-01-05T18:02:00-05:00',
    updated: '2026-01-05T18:02:00-05:00',
  },
  {
    id: 'n-lisbon',
    title: 'Lisbon in April',
    body: 'Fly 9 April, back 16 April.\n\n1. Renew passport\n2. Book the flat near Graça\n3. Ask Ana for the restaurant list\n',
    tags: [],
    created: '2025-12-28T20:15:00-05:00',
    updated: '2025-12-28T20:15:00-05:00',
  },
];

const memory = (
  id: string,
  category: string,
  value: string,
  source: 'said' | 'inferred' | 'read',
  origin: string,
  valid_from: string,
  more: Partial<MemoryRow> = {},
): MemoryRow => ({
  id,
  category,
  key: value.toLowerCase().split(' ').slice(0, 2).join(' '),
  value,
  statement: value,
  source,
  origin,
  confidence: { said: 1, inferred: 0.8, read: 0.4 }[source],
  valid_from,
  valid_to: null,
  uses: 0,
  last_used: null,
  ...more,
});

export const memories: MemoryRow[] = [
  memory(
    'm-kelm',
    'fact',
    'Kelm Estates’ billing address changed',
    'read',
    'mail from hannah.voss@kelm-estates.example, 12 January',
    '2026-01-12T15:20:00-05:00',
  ),
  memory(
    'm-raj',
    'person',
    'Raj works from London',
    'said',
    'By the way Raj moved to the London office, so nothing after 1 pm our time.',
    '2025-11-04T10:31:00-05:00',
    {
      uses: 31,
      last_used: '2026-01-13T09:23:00-05:00',
    },
  ),
  memory(
    'm-ana',
    'person',
    'Ana prefers calls to mail',
    'inferred',
    '9 threads with Ana',
    '2025-10-02T09:00:00-04:00',
    {
      uses: 4,
      last_used: '2026-01-09T11:00:00-05:00',
    },
  ),
  memory(
    'm-early',
    'preference',
    'No meetings before 09:00',
    'said',
    'Please never book anything before nine.',
    '2025-08-19T12:00:00-04:00',
    {
      uses: 52,
      last_used: '2026-01-12T16:00:00-05:00',
    },
  ),
  memory('m-30', 'preference', '1:1s last 30 minutes', 'inferred', 'your calendar', '2025-09-01T12:00:00-04:00', {
    uses: 17,
    last_used: '2026-01-13T09:23:00-05:00',
  }),
  memory(
    'm-sign',
    'preference',
    'Sign work mail with “Best, Mara”',
    'said',
    'Sign work mail with Best, Mara',
    '2025-07-01T12:00:00-04:00',
    {
      uses: 88,
      last_used: '2026-01-13T08:41:00-05:00',
    },
  ),
  memory(
    'm-seat',
    'preference',
    'Window seat on trains',
    'said',
    'I like to sit at the window.',
    '2025-03-02T12:00:00-05:00',
    {
      valid_to: '2025-12-20T12:00:00-05:00',
      uses: 3,
      last_used: '2025-12-01T12:00:00-05:00',
    },
  ),
];

/** What a sentence about an effect names, as a receipt labels it. */
export const labelIn = (say: string) => /“([^”]+)”/.exec(say)?.[1] ?? say;

/** What the domain's receipt looks like on the wire. */
export const receipt = (id: string, kind: string, record: string, label: string, at: string) => ({
  id,
  rows: [{ kind, id: record, label, version: 1, digest: digest() }],
  at: new Date(at).toISOString().replace('.000', ''),
});

const did = (id: string, at: string, tool: string, say: string, more: Partial<ActivityRow> = {}): ActivityRow => ({
  id,
  at,
  tool,
  args: {},
  outcome: 'succeeded',
  say,
  receipt: receipt(id, tool.split('.')[0] ?? '', `${id}-row`, labelIn(say), at),
  undo: 'available',
  conversation: 'main',
  turn: 'turn-1',
  approval: null,
  grant: null,
  ...more,
});

export const activity: ActivityRow[] = [
  did('r-train', '2026-01-13T09:23:00-05:00', 'task.create', 'Reminder “Book the London train”, Fri 16 Jan, 09:00', {
    args: {
      title: 'Book the London train',
      due: '2026-01-16T09:00:00-05:00[America/New_York]',
      remind_at: '2026-01-16T09:00:00-05:00[America/New_York]',
    },
    receipt: receipt('r-train', 'task', 't-train', 'Book the London train', '2026-01-13T09:23:00-05:00'),
  }),
  did(
    'r-priya',
    '2026-01-13T08:41:00-05:00',
    'email.send',
    'Mail “Budget note” to priya.nair@northwind.example is saved to go out',
    {
      approval: 'a-done',
      undo: null,
      receipt: receipt('r-priya', 'outbox', 'o-priya', 'Budget note', '2026-01-13T08:41:00-05:00'),
    },
  ),
  did('r-call', '2026-01-13T08:40:00-05:00', 'task.complete', '“Call the bank” is done', { undo: 'used' }),
  did('r-bank', '2026-01-12T17:10:00-05:00', 'task.create', 'Reminder “Call the bank”, Tue 13 Jan, 09:00'),
  did(
    'r-invoice',
    '2026-01-12T17:58:00-05:00',
    'email.send',
    'Mail “Invoice to Bergmann AG” may have been sent. Please check before sending again.',
    {
      outcome: 'unknown',
      receipt: null,
      undo: null,
      approval: 'a-unknown',
    },
  ),
  did('r-archive', '2026-01-12T16:20:00-05:00', 'email.archive', '23 messages archived'),
  did('r-moved', '2026-01-12T15:00:00-05:00', 'calendar.update', '“Stand-up” is moved to 09:00', { undo: 'changed' }),
  did('r-note', '2026-01-05T18:02:00-05:00', 'note.create', 'Note “Alarm code” is saved'),
];

const job = { attempts: 0, late: false, why: null, done: null, budget: null, repeats: null, stoppable: true } as const;

export const jobs: JobRow[] = [
  {
    ...job,
    id: 'fetch_model:qwen3-4b-q4_k_m.gguf',
    kind: 'fetch_model',
    subject: 'qwen3-4b-q4_k_m.gguf',
    title: 'qwen3-4b-q4_k_m.gguf',
    at: '2026-01-13T09:20:00-05:00',
    next: '2026-01-13T09:25:00-05:00',
    state: 'running',
    attempts: 1,
    done: 600_000_000,
    budget: 2_400_000_000,
    catch_up: 'once',
  },
  {
    ...job,
    id: 'reminder:t-rent:1768330800000000',
    kind: 'reminder',
    subject: 't-rent',
    title: 'Call the landlord about the radiator in the small room before the weekend, and ask for the second key',
    at: '2026-01-13T14:00:00-05:00',
    next: '2026-01-13T14:00:00-05:00',
    state: 'waiting',
    catch_up: 'each',
  },
  {
    ...job,
    id: 'tidy:storage',
    kind: 'tidy',
    subject: 'storage',
    title: 'Tidy storage',
    at: '2026-01-13T15:00:00-05:00',
    next: '2026-01-13T15:00:00-05:00',
    state: 'waiting',
    why: 'Its time passed while Adjutant was not running. It was made up for.',
    repeats: { every: 'hours', hours: 6 },
    catch_up: 'once',
    stoppable: false,
  },
  {
    ...job,
    id: 'check:storage',
    kind: 'check',
    subject: 'storage',
    title: 'Check storage',
    at: '2026-01-14T12:30:00-05:00',
    next: '2026-01-14T12:30:00-05:00',
    state: 'waiting',
    repeats: { every: 'day', at: '12:30' },
    catch_up: 'skip',
  },
  {
    ...job,
    id: 'reminder:t-bank:1768258800000000',
    kind: 'reminder',
    subject: 't-bank',
    title: 'Call the bank',
    at: '2026-01-12T18:00:00-05:00',
    next: null,
    state: 'done',
    attempts: 1,
    late: true,
    catch_up: 'each',
    stoppable: false,
  },
];

export const outbox: OutboxRow[] = [
  {
    id: 'o-draft',
    to: ['ana.ruiz@northwind.example'],
    cc: [],
    bcc: [],
    subject: 'Lisbon flat',
    body: 'Hi Ana,\n\ndid you find the address of the flat?\n\nMara',
    state: 'draft',
    not_before: null,
    updated: '2026-01-11T20:10:00-05:00',
  },
  {
    id: 'o-invoice',
    to: ['accounts@bergmann.example'],
    cc: [],
    bcc: [],
    subject: 'Invoice to Bergmann AG',
    body: 'Dear all,\n\nplease find the invoice attached.\n\nMara',
    state: 'unknown',
    not_before: null,
    updated: '2026-01-12T17:58:00-05:00',
  },
  {
    id: 'o-priya',
    to: ['priya.nair@northwind.example'],
    cc: [],
    bcc: [],
    subject: 'Budget note',
    body: 'Hi Priya,\n\nthe budget note is attached to the plan.\n\nBest,\nMara',
    state: 'queued',
    not_before: null,
    updated: '2026-01-13T08:41:00-05:00',
  },
];

export const egress: EgressRow[] = [
  {
    id: 'g-rates',
    at: '2026-01-12T16:21:00-05:00',
    host: 'calendar.example',
    reason: 'You opened a link',
    bytes_out: 812,
    bytes_in: 24_310,
  },
];

export const imports: ImportRow[] = [
  {
    id: '1',
    at: '2026-01-12T08:31:00-05:00',
    file: 'calendar.ics',
    counts: [{ topic: 'events', added: 12, changed: 0, same: 0 }],
    refused: 1,
  },
];

/** What was asked and only read. */
export const plans: PlanRow[] = [
  {
    id: 'plan-week',
    turn: 'turn-week',
    conversation: 'c-lease',
    request: 'What is on this week?',
    steps: [{ key: 'find', say: 'List the events of this week', why: '', tool: 'calendar.list', status: 'done' }],
    state: 'done',
    at: '2026-01-12T08:40:00-05:00',
  },
];
