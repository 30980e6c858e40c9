// Stored rows: conversations, notes and memories.
import type { ConversationRow, MemoryRow, NoteRow } from '../wire';

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
