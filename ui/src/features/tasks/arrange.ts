import type { JsonValue, TaskRow } from '../../host';
import { addDays } from '../../kit/moment';
import '../../kit/strings/en/moment';
import '../../kit/strings/en/tasks';
import { dayOf } from '../../kit/time';
import { dayOfTask } from './groups';

/** The effect of moving tasks: another due day (null removes it), or another order within their day. */
export type Put = { to: 'day'; day: string | null } | { to: 'order'; ids: string[] };

/**
 * The effect of dropping tasks before or after another one; null when nothing would change, or for a day in the past.
 */
export function putBeside(
  list: readonly TaskRow[],
  moved: readonly TaskRow[],
  target: TaskRow,
  after: boolean,
  now: number,
): Put | null {
  if (moved.length === 0 || moved.includes(target)) return null;
  const day = dayOfTask(target);
  if (moved.some((task) => dayOfTask(task) !== day)) {
    return day !== '' && day < dayOf(now) ? null : { to: 'day', day: day || null };
  }
  const before = list.filter((task) => dayOfTask(task) === day);
  const others = before.filter((task) => !moved.includes(task));
  const at = others.indexOf(target) + (after ? 1 : 0);
  const order = [...others.slice(0, at), ...moved, ...others.slice(at)];
  // Tasks below the last placed one keep their order and need no place.
  const last = Math.max(
    order.findLastIndex((task) => moved.includes(task)),
    order.findLastIndex((task) => task.place !== null),
  );
  if (order.every((task, index) => task === before[index])) return null;
  return { to: 'order', ids: order.slice(0, last + 1).map((task) => task.id) };
}

/** The arguments of the `task.update` call. */
export function argsOf(put: Put, moved: readonly TaskRow[]): Record<string, JsonValue> {
  if (put.to === 'order') return { ids: put.ids, changes: { in_order: true } };
  const ids = moved.map((task) => task.id);
  return { ids, changes: put.day === null ? { clear_due: true } : { due: put.day } };
}

/** The days to drop tasks on while they are dragged, with their labels. */
export const SHELVES = [
  { label: 'time.today', day: (today: string) => today },
  { label: 'time.tomorrow', day: (today: string) => addDays(today, 1) },
  { label: 'tasks.next_week', day: (today: string) => nextMonday(today) },
  { label: 'tasks.group_none', day: () => null },
] as const;

const SUNDAY_TO_MONDAY = 8;
const WEEK_DAYS = 7;

function nextMonday(today: string): string {
  const weekday = new Date(`${today}T12:00:00Z`).getUTCDay();
  return addDays(today, (SUNDAY_TO_MONDAY - weekday) % WEEK_DAYS || WEEK_DAYS);
}
