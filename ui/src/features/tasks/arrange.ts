import type { JsonValue, TaskRow } from '../../host';
import { addDays } from '../../kit/moment';
import '../../kit/strings/en/moment';
import '../../kit/strings/en/tasks';
import { dayOf } from '../../kit/time';
import { dayOfTask } from './groups';

/** Another day for tasks; null takes their date away. */
export interface Put {
  day: string | null;
}

/** What it does to put tasks beside another: they get its day. Null when they have it already, or it is in the past. */
export function putBeside(moved: readonly TaskRow[], target: TaskRow, now: number): Put | null {
  const day = dayOfTask(target);
  if (moved.every((task) => dayOfTask(task) === day)) return null;
  return day !== '' && day < dayOf(now) ? null : { day: day || null };
}

/** The same by one step: the day of the nearest task above or below that is due on another. */
export function putBesideNext(
  list: readonly TaskRow[],
  moved: readonly TaskRow[],
  down: boolean,
  now: number,
): Put | null {
  const edge = down ? moved.at(-1) : moved[0];
  const place = edge === undefined ? -1 : list.indexOf(edge);
  if (edge === undefined || place < 0) return null;
  const ahead = down ? list.slice(place + 1) : list.slice(0, place).reverse();
  const target = ahead.find((task) => dayOfTask(task) !== dayOfTask(edge));
  return target === undefined ? null : putBeside(moved, target, now);
}

/** The call that does it. */
export const argsOf = (put: Put, moved: readonly TaskRow[]): Record<string, JsonValue> => ({
  ids: moved.map((task) => task.id),
  changes: put.day === null ? { clear_due: true } : { due: put.day },
});

/** Days something can be dropped on while it is dragged, with what they are called. */
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
