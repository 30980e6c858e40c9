import type { ActivityRow, ConversationRow, EventRow, MemoryRow, NoteRow, TaskRow } from '../wire';

/** The fake's world starts here, in this zone; it is the day the mocks show. */
export const START = '2026-01-13T09:24:00-05:00';
export const ZONE = 'America/New_York';

export const conversations: ConversationRow[] = [
  { id: 'main', title: 'Move the 1:1 with Raj', updated: '2026-01-13T09:23:00-05:00' },
  { id: 'c-bank', title: 'Reminder for the bank', updated: '2026-01-12T17:10:00-05:00' },
  { id: 'c-lease', title: 'Lease renewal letter', updated: '2026-01-12T08:30:00-05:00' },
];

export const tasks: TaskRow[] = [
  {
    id: 't-lease',
    title: 'Send signed lease to Hannah',
    notes: 'In the reply that waits for approval',
    due: '2026-01-12',
    priority: 'high',
    status: 'open',
  },
  {
    id: 't-board',
    title: 'Read the board draft',
    notes: '',
    due: '2026-01-13T16:00:00-05:00',
    priority: 'normal',
    status: 'open',
  },
  {
    id: 't-passport',
    title: 'Renew passport',
    notes: 'Expires 2 April',
    due: '2026-01-13',
    priority: 'normal',
    status: 'open',
  },
  {
    id: 't-plants',
    title: 'Water the plants',
    notes: '',
    due: '2026-01-13T18:00:00-05:00',
    priority: 'low',
    status: 'open',
    rrule: 'FREQ=WEEKLY;BYDAY=TU',
    repeats: 'every Tuesday',
  },
  {
    id: 't-train',
    title: 'Book the London train',
    notes: '',
    due: '2026-01-16T09:00:00-05:00',
    priority: 'normal',
    status: 'open',
  },
  { id: 't-tax', title: 'Collect receipts for the tax return', notes: '', due: null, priority: 'low', status: 'open' },
  {
    id: 't-leave',
    title: 'Approve Priya’s leave',
    notes: '',
    due: '2026-01-13',
    priority: 'normal',
    status: 'done',
    completed: '2026-01-13T08:40:00-05:00',
  },
];

const event = (id: string, summary: string, start: string, end: string, more: Partial<EventRow> = {}): EventRow => ({
  id,
  uid: `${id}@adjutant`,
  summary,
  start,
  end,
  tz: ZONE,
  attendees: [],
  calendar: 'Work',
  ...more,
});

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
  }),
  event('e-offsite', 'Team offsite', '2026-01-15', '2026-01-16', { calendar: 'Team' }),
];

export const notes: NoteRow[] = [
  {
    id: 'n-raj',
    title: 'Notes from 1:1 with Raj',
    body: '# Notes from 1:1 with Raj\n\n- London office since November, nothing after 18:00 there\n- Wants the Q4 totals before Thursday\n- Asked about **parental leave** cover in March\n',
    updated: '2026-01-07T10:40:00-05:00',
  },
  {
    id: 'n-alarm',
    title: 'Alarm code',
    body: 'The alarm code changed on 5 January. Ask Tomás for the new one.',
    updated: '2026-01-05T18:02:00-05:00',
  },
  {
    id: 'n-lisbon',
    title: 'Lisbon in April',
    body: 'Fly 9 April, back 16 April.\n\n1. Renew passport\n2. Book the flat near Graça\n3. Ask Ana for the restaurant list\n',
    updated: '2025-12-28T20:15:00-05:00',
  },
];

export const memories: MemoryRow[] = [
  {
    id: 'm-kelm',
    category: 'facts',
    key: 'kelm billing address',
    value: 'Kelm Estates’ billing address changed',
    source: { kind: 'found', detail: 'Mail from Hannah Voss' },
    quote: {
      text: 'Please send future invoices to billing@kelm-estates-office.example.',
      where: 'Mail from Hannah Voss',
      at: '2026-01-12T15:20:00-05:00',
    },
    confidence: 0.4,
    valid_from: '2026-01-12T15:20:00-05:00',
    quarantined: true,
    uses: 0,
  },
  {
    id: 'm-raj',
    category: 'people',
    key: 'raj office',
    value: 'Raj works from London',
    source: { kind: 'person', detail: 'You said' },
    quote: {
      text: 'By the way Raj moved to the London office, so nothing after 1 pm our time.',
      where: 'Chat',
      at: '2025-11-04T10:31:00-05:00',
      conversation: 'c-lease',
    },
    confidence: 1,
    valid_from: '2025-11-04T10:31:00-05:00',
    uses: 31,
    last_used: '2026-01-13T09:23:00-05:00',
    replaced: { value: 'Raj works from New York', until: '2025-11-04T10:31:00-05:00' },
  },
  {
    id: 'm-ana',
    category: 'people',
    key: 'ana contact',
    value: 'Ana prefers calls to mail',
    source: { kind: 'derived', detail: 'Worked out from 9 threads' },
    confidence: 0.8,
    valid_from: '2025-10-02T09:00:00-04:00',
    uses: 4,
    last_used: '2026-01-09T11:00:00-05:00',
  },
  {
    id: 'm-early',
    category: 'preferences',
    key: 'meetings earliest',
    value: 'No meetings before 09:00',
    source: { kind: 'person', detail: 'You said' },
    confidence: 1,
    valid_from: '2025-08-19T12:00:00-04:00',
    uses: 52,
    last_used: '2026-01-12T16:00:00-05:00',
  },
  {
    id: 'm-30',
    category: 'preferences',
    key: 'one to one length',
    value: '1:1s last 30 minutes',
    source: { kind: 'derived', detail: 'Worked out from your calendar' },
    confidence: 0.9,
    valid_from: '2025-09-01T12:00:00-04:00',
    uses: 17,
    last_used: '2026-01-13T09:23:00-05:00',
  },
  {
    id: 'm-sign',
    category: 'preferences',
    key: 'signature',
    value: 'Sign work mail with “Best, Mara”',
    source: { kind: 'person', detail: 'You said' },
    confidence: 1,
    valid_from: '2025-07-01T12:00:00-04:00',
    uses: 88,
    last_used: '2026-01-13T08:41:00-05:00',
  },
];

const act = (
  id: string,
  at: string,
  tool: string,
  what: string,
  object: string,
  more: Partial<ActivityRow>,
): ActivityRow => ({
  id,
  at,
  tool,
  args: {},
  what,
  object,
  decided_by: 'Rule: read',
  outcome: 'read',
  ms: 12,
  cost_micros: 0,
  ...more,
});

export const activity: ActivityRow[] = [
  act('r-train', '2026-01-13T09:23:00-05:00', 'task.create', 'Reminder created', 'Book the London train, Fri 16 Jan', {
    decided_by: 'Rule: own task',
    outcome: 'done',
    ms: 4,
    undo: 'local',
    receipt: {
      id: 'r-train',
      outcome: 'done',
      what: 'Reminder “Book the London train”, Fri 16 Jan, 09:00',
      at: '2026-01-13T09:23:00-05:00',
      read_back: true,
      undo: 'local',
    },
  }),
  act('a-q4', '2026-01-13T09:23:00-05:00', 'file.read', 'Read q4-revenue.xlsx', '4 rows', { ms: 63 }),
  act(
    'r-priya',
    '2026-01-13T08:41:00-05:00',
    'email.send',
    'Mail sent to Priya Nair',
    'Budget note · 1 of 1 accepted',
    {
      decided_by: 'You, 08:40',
      outcome: 'done',
      ms: 1200,
      receipt: {
        id: 'r-priya',
        outcome: 'done',
        what: 'Sent to Priya Nair, 08:41',
        at: '2026-01-13T08:41:00-05:00',
        read_back: true,
      },
      egress: { to: 'smtp.northwind.example', reason: 'Mail you approved', bytes: 4200 },
    },
  ),
  act('r-bank', '2026-01-13T08:40:00-05:00', 'task.update', 'Undone: task completed', '“Call the bank” is open again', {
    decided_by: 'You',
    outcome: 'undone',
    ms: 3,
  }),
  act(
    'a-web',
    '2026-01-13T08:31:00-05:00',
    'web.search',
    'Web search refused',
    'Would have carried a private address',
    {
      decided_by: 'Gate: private data',
      outcome: 'refused',
      ms: 0.2,
    },
  ),
  act('a-lease', '2026-01-12T08:30:00-05:00', 'chat', 'Answer written', 'Lease renewal letter', {
    decided_by: 'Embedded engine',
    outcome: 'answered',
    ms: 21,
  }),
  act(
    'r-invoice',
    '2026-01-12T17:58:00-05:00',
    'email.send',
    'Invoice to Bergmann AG',
    'May have been sent, please check',
    {
      decided_by: 'You, Mon 17:58',
      outcome: 'unknown',
      ms: null,
      receipt: {
        id: 'r-invoice',
        outcome: 'unknown',
        what: 'May have been sent. Not in Sent yet.',
        at: '2026-01-12T17:58:00-05:00',
      },
    },
  ),
];
