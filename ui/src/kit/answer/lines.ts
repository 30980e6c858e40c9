import type { Found, FoundEvent, FoundMail, FoundTask, Id, SourceTarget, TaskRow } from '../../host';
import { dueText, isOverdue, lengthText } from '../moment';
import { t } from '../strings';
import '../strings/en/answer';
import { dayOf, longDateText, millis, momentText, sizeText, timeText, whenText } from '../time';
import { actsOf, type Act } from './acts';

/** One row of an answer, as text. */
export interface Line {
  id: Id;
  kind: Kind;
  /** The day heading, for rows that belong to days. */
  day: string | null;
  /** A time in its own column, before the name. */
  time: string | null;
  name: string;
  meta: string;
  /** A date, size or number at the end of the row. */
  end: string;
  late: boolean;
  done: boolean;
  /** Shown by a dot and in words. */
  unread: boolean;
  /** What the row opens; null if there is nothing more to see. */
  target: SourceTarget | null;
  acts: Act[];
}

export type Kind = Found['rows']['kind'];

const PEOPLE_MAX = 3;

/**
 * Converts rows into lines: first the events that stand in the way, then the rows. `now` holds the currently stored
 * tasks, as far as known.
 */
export function linesOf(found: Found, now: ReadonlyMap<Id, TaskRow>): Line[] {
  const inTheWay = (found.in_the_way ?? []).map(event);
  const rows = rowLines(found.rows, now);
  if (inTheWay.length === 0) return rows;
  const free = rows.map((row) => ({ ...row, day: row.day && t('answer.free_on', { day: row.day }) }));
  return [...inTheWay, ...free];
}

function rowLines(rows: Found['rows'], now: ReadonlyMap<Id, TaskRow>): Line[] {
  switch (rows.kind) {
    case 'tasks':
      return rows.list.map((row) => task(row, now.get(row.id)));
    case 'events':
      return rows.list.map(event);
    case 'mail':
      return rows.list.map(mail);
    case 'notes':
      return rows.list.map((row) =>
        line(row.id, 'notes', row.title || t('answer.no_title'), {
          meta: row.preview,
          end: whenText(row.updated),
          target: { kind: 'note', id: row.id },
        }),
      );
    case 'contacts':
      return rows.list.map((row) => {
        const reached = row.emails[0] ?? row.phones[0] ?? '';
        const meta = [row.relation, row.organisation, reached].filter(Boolean).join(' · ');
        return line(row.id, 'contacts', row.name, { meta, target: { kind: 'contact', id: row.id } }, reached !== '');
      });
    case 'memories':
      return rows.list.map((row) =>
        line(row.id, 'memories', row.value, { meta: row.key, target: { kind: 'memory', id: row.id } }),
      );
    case 'files':
      return rows.list.map((row) =>
        line(row.path, 'files', row.name, {
          meta: [row.folder, row.modified ? momentText(row.modified) : ''].filter(Boolean).join(' · '),
          end: sizeText(row.size),
        }),
      );
    case 'free':
      return rows.list.map((row) =>
        line(row.start, 'free', lengthText(row.minutes * 60_000), {
          day: longDateText(row.start),
          time: `${timeText(row.start)}–${timeText(row.end)}`,
        }),
      );
  }
}

function line(id: Id, kind: Kind, name: string, rest: Partial<Line>, reachable = true): Line {
  const plain = { day: null, time: null, meta: '', end: '', late: false, done: false, unread: false };
  const made = { id, kind, name, target: null, ...plain, ...rest };
  return { ...made, acts: actsOf(kind, { done: made.done, reachable }) };
}

function task(row: FoundTask, stored: TaskRow | undefined): Line {
  const { due, priority, status } = stored ?? row;
  const done = status === 'done';
  const meta = [priority === 'high' && !done ? t('task.priority_high') : '', row.repeats ? t('answer.repeats') : ''];
  return line(row.id, 'tasks', stored?.title ?? row.title, {
    meta: meta.filter(Boolean).join(' · '),
    end: due ? dueText(due) : '',
    late: due !== null && isOverdue({ due, status } as TaskRow),
    done,
    target: { kind: 'task', id: row.id },
  });
}

function event(row: FoundEvent): Line {
  const length = row.all_day ? '' : lengthText(millis(row.end) - millis(row.start));
  const meta = [length, peopleText(row.people), row.location].filter(Boolean).join(' · ');
  return line(row.id, 'events', row.summary || t('answer.no_title'), {
    day: longDateText(row.start),
    time: row.all_day ? t('answer.all_day') : timeText(row.start),
    meta,
    end: row.repeats ? t('answer.repeats') : '',
    // One date of a series opens in its day.
    target: { kind: 'event', id: row.repeats ? dayOf(row.start) : row.row },
  });
}

function mail(row: FoundMail): Line {
  const who = row.outgoing || row.folder === 'sent' ? t('answer.to', { people: peopleText(row.to) }) : row.from_name;
  const parts = [who || row.from, row.attachments > 0 ? t('answer.attachments', { n: row.attachments }) : ''];
  return line(
    row.id,
    'mail',
    row.subject || t('answer.no_subject'),
    {
      meta: parts.filter(Boolean).join(' · '),
      end: whenText(row.date),
      unread: row.unread,
      target: { kind: row.outgoing ? 'outbox' : 'mail', id: row.id },
    },
    !row.outgoing && row.folder !== 'sent',
  );
}

function peopleText(names: string[]): string {
  const shown = names.slice(0, PEOPLE_MAX).join(', ');
  return names.length > PEOPLE_MAX ? t('answer.people', { names: shown, n: names.length - PEOPLE_MAX }) : shown;
}
