import type { MailRow, MemoryRow, NoteRow, TaskRow } from '../wire';
import * as journal from './journal';
import * as rows from './rows';
import type { World } from './world';

/** Rows of each kind; `TURNS` counts the turns of one conversation. */
const MANY = 10_000;
const TURNS = 60;
const DAY_MS = 86_400_000;
const LONG = 'c-long';

const many = <T extends { id: string }>(few: readonly T[], change: (row: T, n: number) => T): T[] =>
  Array.from({ length: MANY }, (_, n) => {
    const row = few[n % few.length] as T;
    return change({ ...row, id: `${row.id}-${n}` }, n);
  });

/** A profile after years of use: for measurements, never for tests of what is shown. */
export function fillHuge(world: World): void {
  const now = world.now();
  const at = (days: number) => rows.instant(now + days * DAY_MS);
  // Due dates from four weeks ago to almost two years ahead; every second task is done.
  world.tables.tasks = many(rows.tasks, (task: TaskRow, n): TaskRow => {
    const done = n % 2 === 1;
    const due = task.due === null ? null : at(((n * 7) % 700) - 28).slice(0, 10);
    return {
      ...task,
      title: `${task.title} ${n}`,
      due,
      status: done ? 'done' : 'open',
      completed_at: done ? at(-n / 20) : null,
    };
  }).sort((a, b) => (order(a) < order(b) ? -1 : 1));
  world.tables.notes = many(rows.notes, (note: NoteRow, n) => ({
    ...note,
    title: `${note.title} ${n}`,
    updated: at(-n / 10),
  }));
  world.tables.memories = many(rows.memories, (memory: MemoryRow, n) => ({ ...memory, value: `${memory.value} ${n}` }));
  world.tables.mail = many(rows.mails, (mail: MailRow, n) => ({
    ...mail,
    folder: 'inbox',
    subject: `${mail.subject} ${n}`,
    thread: `thread-${n >> 1}`,
    date: at(-n / 40),
  }));
  world.tables.conversations = [
    {
      id: LONG,
      title: 'A long conversation',
      updated: at(0),
      created: at(-1),
      messages: TURNS * 2,
      pinned: false,
      archived: false,
    },
    ...world.tables.conversations,
  ];
  for (let n = 0; n < TURNS; n += 1) {
    for (const one of journal.leaseTurn) world.say(LONG, `turn-long-${n}`, one);
  }
}

/** The engine's order: open tasks before done ones, then by due date. */
const order = (task: TaskRow) => `${task.status === 'done' ? 1 : 0} ${task.due ?? '9999'}`;
