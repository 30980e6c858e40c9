import type { Found, FoundEvent, FoundMail, FoundTask, Glance, Id, TaskRow } from '../wire';
import { finished, line, routed, step } from './journal';
import type { World } from './world';

/** The longest kind of title: it must be truncated, and never wrap at every letter. */
const LONG =
  'Re: Fwd: Contract for the Ferry Street building, second reading with the changes that legal and finance asked for in May';
const TITLES = [
  'Send the signed lease to Hannah',
  'Order monitor arms',
  LONG,
  'Renew passport',
  'Water the plants',
  'Book the London train',
];
const SENDERS = [
  ['Raj Patel', 'raj.patel@northwind.example'],
  ['Priya Nair', 'priya.nair@northwind.example'],
  ['', 'invoices@kelm-estates.example'],
] as const;

const EVENTS = 40;
const MAILS = 16;
const MEETINGS = [
  ['Stand-up', 15],
  ['Mara / Raj', 30],
  [LONG, 60],
  ['Physio', 45],
] as const;
const two = (n: number) => String(n).padStart(2, '0');

function eventRow(at: number): FoundEvent {
  const [summary, minutes] = MEETINGS[at % MEETINGS.length] ?? MEETINGS[0];
  const day = `2026-01-${two(14 + Math.floor(at / MEETINGS.length))}`;
  const hour = 9 + (at % MEETINGS.length) * 2;
  return {
    id: `e-found-${at}`,
    row: `e-found-${at}`,
    summary,
    start: `${day}T${two(hour)}:00:00-05:00`,
    end: `${day}T${two(hour + Math.floor(minutes / 60))}:${two(minutes % 60)}:00-05:00`,
    all_day: false,
    location: at % 3 === 0 ? 'Hall 2, Ferry Street' : '',
    people: ['Priya Nair', 'Raj Patel', 'Tom Baker', 'Sarah Chen'].slice(0, at % 5),
    calendar: 'work',
    repeats: at % 2 === 0,
  };
}

function mailRow(at: number): FoundMail {
  const [from_name, from] = SENDERS[at % SENDERS.length] ?? SENDERS[0];
  return {
    id: `mail-found-${at}`,
    subject: at % 2 === 0 ? LONG : 'Q4 totals',
    from,
    from_name,
    to: ['Mara Lindqvist'],
    folder: 'inbox',
    date: `2026-01-${two(13 - (at % 12))}T08:${two(at)}:00-05:00`,
    unread: at < 3,
    attachments: at % 4 === 0 ? 1 : 0,
    outgoing: false,
  };
}

/** Finds tasks that are also stored, so that an action on a row has its task. */
function taskRows(world: World): FoundTask[] {
  const stored = world.tables.tasks.filter((one) => one.status === 'open');
  for (let at = stored.length; at < 17; at += 1) {
    const made: TaskRow = {
      id: `t-found-${at}`,
      title: TITLES[at % TITLES.length] ?? LONG,
      notes: '',
      due: `2026-01-${two(10 + at)}`,
      remind_at: null,
      priority: at % 5 === 0 ? 'high' : 'medium',
      status: 'open',
      rrule: null,
      repeats: null,
      start: null,
      tags: [],
      place: null,
      completed_at: null,
    };
    stored.push(made);
    if (!world.tables.tasks.some((one) => one.id === made.id)) world.tables.tasks = [...world.tables.tasks, made];
  }
  return stored.map(({ id, title, due, priority, status, rrule }) => ({
    id,
    title,
    due,
    priority,
    status,
    repeats: rrule !== null,
  }));
}

function foundFor(world: World, what: string): { tool: string; found: Found } {
  switch (what) {
    case 'tasks': {
      const list = taskRows(world);
      const head = `${list.length} tasks, 2 overdue.`;
      const say = `${head}\n\n${list.map((one) => `- ${one.title}`).join('\n')}`;
      return {
        tool: 'task.list',
        found: { say, head, note: '', total: list.length, rows: { kind: 'tasks', list } },
      };
    }
    case 'events': {
      const list = Array.from({ length: EVENTS }, (_, at) => eventRow(at));
      const head = `${list.length} events.`;
      const say = `${head}\n\n${list.map((one) => `- ${one.summary}`).join('\n')}`;
      const note = 'Not all dates of “Gym” are known: its rule is too long.';
      return {
        tool: 'calendar.list',
        found: { say: `${say}\n\n${note}`, head, note, total: list.length, rows: { kind: 'events', list } },
      };
    }
    case 'free': {
      const at = (time: string) => `2026-01-15T${time}:00-05:00`;
      const list = [{ start: at('13:30'), end: at('16:00'), minutes: 150 }];
      const busy = [
        { summary: 'Pricing review', start: at('10:00'), end: at('11:00') },
        { summary: 'Lunch with Ana', start: at('13:00'), end: at('13:30') },
      ];
      const say = 'Free: Thu 15 Jan, 13:30–16:00, 2 h 30 min.';
      return {
        tool: 'calendar.free',
        found: { say, head: say, note: '', total: 1, rows: { kind: 'free', list }, busy },
      };
    }
    default: {
      const list = Array.from({ length: MAILS }, (_, at) => mailRow(at));
      const head = '3,000 mails, 3 unread.';
      const say = `${head}\n\n${list.map((one) => `- ${one.subject}`).join('\n')}`;
      return { tool: 'email.search', found: { say, head, note: '', total: 3000, rows: { kind: 'mail', list } } };
    }
  }
}

/** Matches `list tasks`, `list events`, `list letters` and `list free`; `tell tasks` answers in a model's words. */
export const listed = (text: string): RegExpExecArray | null => /^(list|tell) (tasks|events|letters|free)$/i.exec(text);

/** Free time, as a preview while the person is still typing. */
export function glance(world: World, text: string): Glance | undefined {
  if (!/\bfree\b/i.test(text)) return undefined;
  const { found } = foundFor(world, 'free');
  return { say: found.say, found };
}

/** Plays a turn that finds rows. The text of the answer also serves front ends that show no rows. */
export function playList(world: World, conversation: Id, turn: Id, [text, how, what]: RegExpExecArray): void {
  const { tool, found } = foundFor(world, what?.toLowerCase() ?? '');
  const say = (said: Parameters<World['say']>[2]) => world.say(conversation, turn, said);
  const answer = how?.toLowerCase() === 'tell' ? 'You have a full plate; the passport comes first.' : found.say;
  say(routed('action', ['task']));
  say({ event: 'plan', id: turn, request: text, steps: [step('find', 'Look', tool)] });
  say({ event: 'tool_call', step: 'find', tool, args: {} });
  say({ event: 'tool_result', step: 'find', ok: true, result: {}, found, ms: 4 });
  say(finished(answer, [tool], 9, [line('find', tool, found.say)]));
}
