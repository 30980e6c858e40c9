import type { TaskRow } from '../host';
import { clock } from './clock.svelte';
import { t, type PlainKey } from './strings';
import './strings/en/moment';
import { dateText, dayOf, daysFromToday, isDate, millis, timeText, wallTimeText } from './time';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
/** The range of years a field accepts: a half-typed year lies before it, and no calendar reaches beyond it. */
const FIRST_YEAR = 1900;
export const LAST_YEAR = 9999;

/** Adds days to a day: `2026-01-31` + 1 is `2026-02-01`. */
export function addDays(day: string, n: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + n * DAY_MS).toISOString().slice(0, 10);
}

/** The number of days from one day to another; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / DAY_MS);
}

/** Making a format takes a web view much longer than using it. */
const walls = new Map<string, Intl.DateTimeFormat>();

function wallIn(tz: string): Intl.DateTimeFormat {
  const made = walls.get(tz);
  if (made) return made;
  const wall = new Intl.DateTimeFormat('en-US', {
    timeZone: tz,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  walls.set(tz, wall);
  return wall;
}

/** The offset of a zone at an instant, in minutes east of Greenwich. */
function offsetAt(ms: number, tz: string): number {
  const parts = wallIn(tz).formatToParts(ms);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return Math.round((wall - Math.floor(ms / 1000) * 1000) / MINUTE_MS);
}

/**
 * A wall time in the format that tools take: `2026-01-31T15:00:00+01:00[Europe/Paris]`. A time in the gap of a clock
 * change moves forward by the gap; a time that occurs twice means the first.
 */
export function zoned(day: string, time: string, tz = clock.tz): string {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const before = offsetAt(wall - DAY_MS / 2, tz);
  const after = offsetAt(wall + DAY_MS / 2, tz);
  // Use the offset before or after that is valid at this wall time; if neither is, the time lies in a gap.
  const fits = [before, after].find((offset) => offsetAt(wall - offset * MINUTE_MS, tz) === offset);
  const at = wall - (fits ?? before) * MINUTE_MS;
  const offset = fits ?? after;
  const local = new Date(at + offset * MINUTE_MS).toISOString().slice(0, 19);
  const abs = Math.abs(offset);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(abs / 60))}:${two(abs % 60)}[${tz}]`;
}

/** `2026-01-13` and `09:00` in the person's zone, for form fields. */
export function wallOf(instant: string): { day: string; time: string } {
  return { day: dayOf(instant), time: isDate(instant) ? '' : wallTimeText(instant) };
}

/** The fault in a date or time value; `partial` if the field is only partly filled in. */
export function whenFault(value: string, partial: boolean): PlainKey | null {
  if (partial) return 'time.wrong_part';
  // An old web view without native date fields returns the text as typed.
  const form = /^(?:(\d{4,6})-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?|\d{2}:\d{2}(?::\d{2})?|)$/.exec(value);
  if (!form) return 'time.wrong_part';
  const year = form[1] === undefined ? FIRST_YEAR : Number(form[1]);
  return year < FIRST_YEAR || year > LAST_YEAR ? 'time.wrong_year' : null;
}

/** Whether the due day or time has passed. */
export function isOverdue(task: TaskRow, now = clock.now()): boolean {
  if (task.due === null || task.status === 'done') return false;
  return isDate(task.due) ? task.due < dayOf(now) : millis(task.due) < now;
}

/** A due date as text: `16:00`, `Today`, `Yesterday`, `Tomorrow`, `Fri 16 Jan`. */
export function dueText(due: string): string {
  const days = daysFromToday(due);
  if (days === 0) return isDate(due) ? t('time.today') : timeText(due);
  if (days === -1) return t('time.yesterday');
  if (days === 1) return isDate(due) ? t('time.tomorrow') : t('time.tomorrow_at', { time: timeText(due) });
  if (days > 1 && days < WEEK_DAYS && !isDate(due)) return `${dateText(due)}, ${timeText(due)}`;
  return dateText(due);
}

/** `45 min`, `1 h`, `1 h 30 min` */
export function lengthText(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return t('time.length_minutes', { n: minutes });
  if (minutes % 60 === 0) return t('time.length_hours', { n: hours });
  return t('time.length_both', { hours, minutes: minutes % 60 });
}
