import { clock } from './clock.svelte';
import { addDays } from './moment';
import { dateText, dayOf } from './time';

/** What a field accepts: a day, a time of day, or both. */
export type WhenKind = 'date' | 'time' | 'datetime-local';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WEEK_DAYS = 7;
/** How many months to search for a match: a 29th of February is at most four years away. */
const MONTHS_AHEAD = 48;
const NEAR: Record<string, number> = { today: 0, tomorrow: 1, yesterday: -1 };
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const PARTS = /\p{L}+|\d+/gu;
const TIME = /(?:^|[\s,])(?:at\s+)?(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?$/i;

/** A field's value in the usual format: `Fri 16 Jan`, `15:00`, `Fri 16 Jan, 15:00`. */
export function shownWhen(value: string, kind: WhenKind): string {
  if (value === '') return '';
  const [day = '', time = ''] = kind === 'time' ? ['', value] : value.split('T');
  // Show a wall time as it is; the clock's zone does not apply.
  const clockText = time === '' ? '' : wallText(time);
  return [day === '' ? '' : dateText(day), clockText].filter(Boolean).join(', ');
}

function wallText(time: string): string {
  if (clock.face !== '12h') return time.slice(0, 5);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'am' : 'pm'}`;
}

/**
 * Parses typed text into the field's value: empty for no text, null for no valid date or time. `from` is the day on
 * which something begins whose end is typed.
 */
export function readWhen(text: string, kind: WhenKind, from?: string): string | null {
  const said = text.trim();
  if (said === '') return '';
  if (kind === 'time') return readTime(said);
  if (kind === 'date') return readDay(said, from);
  const iso = /^(\S{10,})T(\d{2}:\d{2})(?::\d{2})?$/.exec(said);
  if (iso) return `${iso[1]}T${iso[2]}`;
  const found = TIME.exec(said);
  if (!found) return null;
  const time = readTime(found[0].replace(/^[\s,]+/, ''));
  const before = said.slice(0, found.index).replace(/[\s,]+$/, '');
  const day = before === '' ? dayOf(clock.now()) : readDay(before, from);
  return time === null || day === null ? null : `${day}T${time}`;
}

function readTime(said: string): string | null {
  const form = /^(?:at\s+)?(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*(am|pm)?$/i.exec(said);
  if (!form) return null;
  const [, hourText = '', minute = '00', half] = form;
  let hour = Number(hourText);
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  if (half?.toLowerCase() === 'pm') hour = (hour % 12) + 12;
  else if (half?.toLowerCase() === 'am') hour %= 12;
  if (hour > 23 || Number(minute) > 59) return null;
  return `${String(hour).padStart(2, '0')}:${minute}`;
}

/** A numeric date in any locale's format: `9/1`, `9.1.`, `1/9/2027`, `2027/1/9`, with or without a weekday. */
const NUMERIC = /^(?:\p{L}{3,},?\s+)?(\d{1,4})([./-])\s?(\d{1,2})(?:\2\s?(\d{4}|\d{1,2}))?\.?$/u;

function readNumbers(said: string, base: Base): string | null {
  const [, first = '', sign, second = '', third] = NUMERIC.exec(said) ?? [];
  if (first.length > 2) {
    // After a leading year, the month comes next in every locale.
    if (first.length !== 4 || third === undefined) return null;
    return meant(base, { weekday: -1, year: Number(first), month: Number(second) - 1, day: Number(third) });
  }
  if (third?.length === 1) return null;
  // With dots the day always comes first; and a number above twelve cannot be the month.
  const dayFirst = sign === '.' || Number(first) > MONTHS.length || (clock.dayFirst && Number(second) <= MONTHS.length);
  const [day, month] = dayFirst ? [first, second] : [second, first];
  const year = third === undefined ? -1 : Number(third.length === 2 ? `20${third}` : third);
  if (Number(month) < 1 || Number(month) > MONTHS.length) return null;
  return meant(base, { weekday: -1, year, month: Number(month) - 1, day: Number(day) });
}

/**
 * `2026-01-09`, `Fri 9`, `9 Jan`, `Jan 9 2027`, `Fri`, `tomorrow`, `next week`: a day without a year is the next such
 * day from today; at the end of something that begins on `from`, it counts from there.
 */
function readDay(said: string, from?: string): string | null {
  if (/^\d{4,}-\d{2}-\d{2}$/.test(said)) return said;
  const today = dayOf(clock.now());
  const near = NEAR[said.toLowerCase()] ?? awayFrom(said.toLowerCase(), today);
  if (near !== undefined) return addDays(today, near);
  const base = { day: from || today, begun: Boolean(from) };
  if (NUMERIC.test(said)) return readNumbers(said, base);
  const parts = said.toLowerCase().match(PARTS) ?? [];
  const known = { weekday: -1, month: -1, day: -1, year: -1 };
  for (const part of parts) {
    const short = part.slice(0, 3);
    const number = /^\d+$/.test(part) ? Number(part) : null;
    if (number === null && ['st', 'nd', 'rd', 'th', 'of', 'the', 'on'].includes(part)) continue;
    else if (number === null && known.month < 0 && MONTHS.includes(short)) known.month = MONTHS.indexOf(short);
    else if (number === null && known.weekday < 0 && WEEKDAYS.includes(short)) known.weekday = WEEKDAYS.indexOf(short);
    else if (number !== null && part.length <= 2 && known.day < 0) known.day = number;
    else if (number !== null && part.length === 4 && known.year < 0) known.year = number;
    else return null;
  }
  return meant(base, known);
}

/** Days until `next week`, `in 3 days`, `in two weeks` or `next Friday`; undefined for anything else. */
function awayFrom(said: string, today: string): number | undefined {
  const monday = (WEEK_DAYS - weekdayOf(today)) % WEEK_DAYS || WEEK_DAYS;
  if (said === 'next week') return monday;
  if (said === 'weekend' || said === 'this weekend') return Math.max(0, WEEKDAYS.indexOf('sat') - weekdayOf(today));
  const next = /^next (\p{L}{3,})$/u.exec(said)?.[1];
  const weekday = next === undefined ? -1 : WEEKDAYS.findIndex((day) => next.startsWith(day));
  // In the following week, which is what people mean on every day but that weekday itself.
  if (weekday >= 0) return monday + weekday;
  const [, count = '', unit = ''] = /^in (\d{1,3}|\p{L}+) (day|week)s?$/u.exec(said) ?? [];
  const times = /^an?$/.test(count) ? 1 : Number(count) || NUMBERS.indexOf(count) + 1;
  return unit === '' || times === 0 ? undefined : times * (unit === 'week' ? WEEK_DAYS : 1);
}

interface Known {
  weekday: number;
  month: number;
  day: number;
  year: number;
}

const weekdayOf = (day: string) => (new Date(`${day}T12:00:00Z`).getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS;

/** The day that readings count from; `begun` if something begins on it whose end is read. */
interface Base {
  day: string;
  begun: boolean;
}

/** An end that lies longer before its beginning than this is an end in the next year. */
const HALF_YEAR_DAYS = 183;

/**
 * The day that the parts mean. A day and a month are of the base's own year, though earlier than the base, if the
 * weekday says so or if something begins on the base: then the end is a mistake, and not one of next year.
 */
function meant(base: Base, known: Known): string | null {
  if (known.day >= 0 && known.month >= 0 && known.year < 0) {
    const own = soonest(base.day, { ...known, year: Number(base.day.split('-')[0]) });
    const isNear = base.begun && own !== null && own >= addDays(base.day, -HALF_YEAR_DAYS);
    if (own !== null && (isNear || weekdayOf(own) === known.weekday)) return own;
  }
  return soonest(base.day, known);
}

/** The first day from `base` that matches all parts. With a complete date the weekday may be wrong: the date counts. */
function soonest(base: string, { weekday, month, day, year }: Known): string | null {
  if (day < 0) {
    if (weekday < 0 || month >= 0 || year >= 0) return null;
    return addDays(base, (weekday - weekdayOf(base) + WEEK_DAYS) % WEEK_DAYS);
  }
  const [thisYear = 0, thisMonth = 0] = base.split('-').map(Number);
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const at = new Date(Date.UTC(year < 0 ? thisYear : year, (year < 0 ? thisMonth - 1 : 0) + ahead, day, 12));
    const found = at.toISOString().slice(0, 10);
    const fits =
      at.getUTCDate() === day &&
      (month < 0 || at.getUTCMonth() === month) &&
      (year < 0 ? found >= base : at.getUTCFullYear() === year) &&
      (weekday < 0 || month >= 0 || weekdayOf(found) === weekday);
    if (fits) return found;
  }
  return null;
}
