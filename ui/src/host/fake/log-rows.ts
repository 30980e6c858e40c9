// The rows of Activity: effects, reads, imports and egress.
import type { ActivityRow, EgressRow, ImportRow, PlanRow } from '../wire';
import { digest } from './moments';

/** The subject of an effect's sentence, as the receipt labels it. */
export const labelIn = (say: string) => /“([^”]+)”/.exec(say)?.[1] ?? say;

/** A receipt as it crosses the wire. */
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

/** The plans of requests that only read. */
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
