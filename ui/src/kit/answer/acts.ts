import type { Found, Id, JsonValue } from '../../host';
import { clock } from '../clock.svelte';
import { wallOf, zoned } from '../moment';
import { t, type PlainKey } from '../strings';
import '../strings/en/answer';
import { dateText, dayOf, isDate, timeText } from '../time';

type Rows = Found['rows'];

export type ActName =
  | 'complete'
  | 'reopen'
  | 'tomorrow'
  | 'move'
  | 'reply'
  | 'archive'
  | 'write'
  | 'forget'
  | 'plan'
  | 'show_path'
  | 'copy_path'
  | 'copy_address';

/** An action on a row: by its button, or by its letter while the row has the focus. */
export interface Act {
  name: ActName;
  /** The label on the key cap: a letter, or the space bar. */
  key: string;
  label: PlainKey;
}

const ACTS: Record<Exclude<ActName, 'reopen'>, Act> = {
  complete: { name: 'complete', key: ' ', label: 'answer.complete' },
  tomorrow: { name: 'tomorrow', key: 't', label: 'answer.tomorrow' },
  move: { name: 'move', key: 'm', label: 'answer.move' },
  reply: { name: 'reply', key: 'r', label: 'answer.reply' },
  archive: { name: 'archive', key: 'e', label: 'answer.archive' },
  write: { name: 'write', key: 'w', label: 'answer.write' },
  forget: { name: 'forget', key: 'f', label: 'memory.forget' },
  plan: { name: 'plan', key: 'p', label: 'answer.plan' },
  show_path: { name: 'show_path', key: 'o', label: 'answer.show_path' },
  copy_path: { name: 'copy_path', key: 'c', label: 'answer.copy_path' },
  copy_address: { name: 'copy_address', key: 'c', label: 'answer.copy_address' },
};

const OF: Record<Rows['kind'], (keyof typeof ACTS)[]> = {
  tasks: ['complete', 'tomorrow'],
  events: ['move'],
  mail: ['reply', 'archive'],
  notes: [],
  contacts: ['write', 'copy_address'],
  memories: ['forget'],
  files: ['show_path', 'copy_path'],
  free: ['plan'],
};

/** The actions for a row of this kind; none if it is done, or if nobody can be reached. */
export function actsOf(kind: Rows['kind'], { done, reachable }: { done: boolean; reachable: boolean }): Act[] {
  return done || !reachable ? [] : OF[kind].map((name) => ACTS[name]);
}

/**
 * The effect of an action: a call through the gate, words for the message field or the clipboard, or a path to show in
 * the file manager.
 */
export type Doing =
  { tool: string; args: Record<string, JsonValue> } | { say: string } | { copy: string } | { path: string };

/** Resolves an action for the row with this id; null if the row is not there. */
export function doing(rows: Rows, id: Id, name: ActName): Doing | null {
  switch (rows.kind) {
    case 'tasks': {
      const row = rows.list.find((one) => one.id === id);
      if (!row) return null;
      if (name === 'complete') return { tool: 'task.complete', args: { id } };
      if (name === 'reopen') return { tool: 'task.update', args: { id, changes: { reopen: true } } };
      return { tool: 'task.update', args: { id, changes: { due: tomorrow(row.due) } } };
    }
    case 'events': {
      const row = rows.list.find((one) => one.id === id);
      return row ? { say: t('answer.move_say', { name: row.summary }) } : null;
    }
    case 'mail': {
      const row = rows.list.find((one) => one.id === id);
      if (!row) return null;
      if (name === 'archive') return { tool: 'email.archive', args: { ids: [id] } };
      return { say: t('answer.reply_say', { name: row.subject, from: row.from_name || row.from }) };
    }
    case 'contacts': {
      const row = rows.list.find((one) => one.id === id);
      if (!row) return null;
      return name === 'write'
        ? { say: t('answer.write_say', { name: row.name }) }
        : { copy: row.emails[0] ?? row.phones[0] ?? '' };
    }
    case 'memories':
      return { tool: 'memory.forget', args: { id } };
    case 'files':
      return name === 'show_path' ? { path: id } : { copy: id };
    case 'free': {
      const row = rows.list.find((one) => one.start === id);
      return row ? { say: t('answer.plan_say', { day: dateText(row.start), time: timeText(row.start) }) } : null;
    }
    case 'notes':
      return null;
  }
}

const DAY_MS = 86_400_000;

/** The day after today, keeping the time of day. */
function tomorrow(due: string | null): string {
  const day = dayOf(Date.parse(`${dayOf(clock.now())}T12:00:00Z`) + DAY_MS);
  return due === null || isDate(due) ? day : zoned(day, wallOf(due).time);
}
