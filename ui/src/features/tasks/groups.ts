import type { TaskRow } from '../../host';
import { isOverdue } from '../../kit/moment';
import type { PlainKey } from '../../kit/strings';
import '../../kit/strings/en/tasks';
import { dayOf, daysFromToday, isDate, millis } from '../../kit/time';

export const FILTERS = ['open', 'overdue', 'done'] as const;
export type Filter = (typeof FILTERS)[number];

const WEEK_DAYS = 7;

export interface TaskGroup {
  label: PlainKey;
  tone?: string;
  items: TaskRow[];
}

/** A task without a time is due at the end of its day. */
function dueMs(task: TaskRow): number {
  if (task.due === null) return Infinity;
  return isDate(task.due) ? Date.parse(`${task.due}T23:59:59Z`) : millis(task.due);
}

const WEIGHT: Record<string, number> = { high: 0, medium: 1, low: 2 };

/** The due day; empty for a task without one. */
export const dayOfTask = (task: TaskRow): string => (task.due === null ? '' : dayOf(task.due));

/**
 * Sorts by day; within a day by the person's own order, then by time and priority. Equal ones keep the engine's order, so
 * that rows which load later follow those that are there.
 */
function inOrder(a: TaskRow, b: TaskRow): number {
  const [one, other] = [dayOfTask(a) || '~', dayOfTask(b) || '~'];
  if (one !== other) return one < other ? -1 : 1;
  const place = (task: TaskRow) => task.place ?? Infinity;
  if (place(a) !== place(b)) return place(a) - place(b);
  const [first, then] = [dueMs(a), dueMs(b)];
  if (first !== then) return first - then;
  return (WEIGHT[a.priority] ?? 1) - (WEIGHT[b.priority] ?? 1);
}

const doneMs = (task: TaskRow): number => (task.completed_at ? millis(task.completed_at) : 0);

/**
 * Groups the list in working order: overdue, today, the next seven days, later, without a date, not yet started. Done
 * tasks are newest first; those done at an unknown time come last.
 */
export function groupTasks(tasks: readonly TaskRow[], filter: Filter, now: number): TaskGroup[] {
  if (filter === 'done') {
    const items = tasks.filter((task) => task.status === 'done').sort((a, b) => doneMs(b) - doneMs(a));
    return [{ label: 'tasks.group_done', items }];
  }
  const open = tasks.filter((task) => task.status !== 'done').sort(inOrder);
  const late = open.filter((task) => isOverdue(task, now));
  const groups: TaskGroup[] = [{ label: 'tasks.group_overdue', tone: 't-stop', items: late }];
  if (filter === 'overdue') return groups;
  const today = dayOf(now);
  const notYet = (task: TaskRow) => task.start !== null && task.start > today;
  const waiting = open.filter((task) => !isOverdue(task, now) && notYet(task));
  const ahead = open.filter((task) => !isOverdue(task, now) && !notYet(task));
  const within = (from: number, to: number) =>
    ahead.filter((task) => {
      if (task.due === null) return false;
      const days = daysFromToday(task.due);
      return days >= from && days < to;
    });
  return [
    ...groups,
    { label: 'tasks.group_today', items: within(-Infinity, 1) },
    { label: 'tasks.group_week', items: within(1, WEEK_DAYS + 1) },
    { label: 'tasks.group_later', items: within(WEEK_DAYS + 1, Infinity) },
    { label: 'tasks.group_none', items: ahead.filter((task) => task.due === null) },
    { label: 'tasks.group_not_yet', items: waiting },
  ];
}
