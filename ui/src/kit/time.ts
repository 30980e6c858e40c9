import { clock } from './clock.svelte';
import { t } from './strings';

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The locale that abbreviates September as `Sep`, like the engine. */
const WORDS = 'en-US';

function format(options: Intl.DateTimeFormatOptions, tz = clock.tz, language = 'en-GB'): Intl.DateTimeFormat {
  const key = JSON.stringify(options) + tz + language;
  let found = formats.get(key);
  if (!found) {
    try {
      found = new Intl.DateTimeFormat(language, { ...options, timeZone: tz });
    } catch {
      // The web view does not know this zone: fall back to the system zone.
      found = new Intl.DateTimeFormat(language, options);
    }
    formats.set(key, found);
  }
  return found;
}

/** `2026-01-13` is a day, not an instant: it must not slip to the day before in western zones. */
export function isDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** Milliseconds of an instant, or of noon UTC on a plain date. NaN if the text is neither. */
export function millis(value: string): number {
  // The engine may append the zone in brackets, which Date cannot parse.
  return Date.parse(isDate(value) ? `${value}T12:00:00Z` : value.replace(/\[.*\]$/, ''));
}

/** In every current zone, days begin on a quarter hour. */
const QUARTER_MS = 900_000;
const DAYS_MAX = 20_000;
/** Caches the day of each quarter hour in one zone: lists ask for thousands of them, again and again. */
const days = { tz: '', of: new Map<number, string>() };

/** `2026-01-13` in the engine's zone: compared with "today". */
export function dayOf(at: number | string): string {
  if (typeof at === 'string' && isDate(at)) return at;
  const ms = typeof at === 'string' ? millis(at) : at;
  // Compute instants before 1970 individually: older zone offsets do not follow quarter hours.
  if (!(ms > 0)) return dayIn(ms);
  if (days.tz !== clock.tz || days.of.size >= DAYS_MAX) {
    days.tz = clock.tz;
    days.of.clear();
  }
  const quarter = Math.floor(ms / QUARTER_MS);
  let day = days.of.get(quarter);
  if (day === undefined) {
    day = dayIn(ms);
    days.of.set(quarter, day);
  }
  return day;
}

function dayIn(ms: number): string {
  // Assemble the parts here: the order of a locale is unreliable, because a web view may lack that locale.
  const parts = format({ year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(ms);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** `09:24`, whatever clock format the person chose: for fields and stored values. */
export function wallTimeText(at: number | string): string {
  return format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    typeof at === 'string' ? millis(at) : at,
  );
}

/** `09:24`, or `9:24 am` on a twelve-hour clock. */
export function timeText(at: number | string, tz = clock.tz): string {
  const twelve = clock.face === '12h';
  const hour = twelve ? 'numeric' : '2-digit';
  return format({ hour, minute: '2-digit', hourCycle: twelve ? 'h12' : 'h23' }, tz).format(
    typeof at === 'string' ? millis(at) : at,
  );
}

/** Day, month and year in the person's order: `13 Jan 2026`, `Jan 13, 2026`. */
export function inOrder(day: string, month: string, year = ''): string {
  const both = clock.dayFirst ? `${day} ${month}` : `${month} ${day}`;
  return year === '' ? both : clock.dayFirst ? `${both} ${year}` : `${both}, ${year}`;
}

/** The parts of a date, in words. */
function partsOf(at: number | string, form: 'short' | 'long') {
  const tz = typeof at === 'string' && isDate(at) ? 'UTC' : clock.tz;
  const options = { weekday: form, day: 'numeric', month: form, year: 'numeric' } as const;
  const parts = format(options, tz, WORDS).formatToParts(typeof at === 'string' ? millis(at) : at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return { weekday: part('weekday'), day: part('day'), month: part('month'), year: part('year') };
}

/** A full hour: `09:00`, or `9 am` on a twelve-hour clock. */
export function hourText(hour: number): string {
  if (clock.face !== '12h') return `${String(hour).padStart(2, '0')}:00`;
  return `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'am' : 'pm'}`;
}

/** `Tue 13 Jan`, or `Tue Jan 13` where the month comes first; with the year unless it is the current one. */
export function dateText(at: number | string): string {
  const { weekday, day, month, year } = partsOf(at, 'short');
  const sameYear = dayOf(at).slice(0, 4) === dayOf(clock.now()).slice(0, 4);
  return `${weekday} ${inOrder(day, month, sameYear ? '' : year)}`;
}

/** `January`, `December 2025`: the month, with the year unless it is the current one. */
export function monthOrYearText(at: number | string): string {
  const ms = typeof at === 'string' ? millis(at) : at;
  const sameYear = dayOf(ms).slice(0, 4) === dayOf(clock.now()).slice(0, 4);
  return format({ month: 'long', ...(sameYear ? {} : { year: 'numeric' }) }).format(ms);
}

/** `Tuesday, 13 January` */
export function longDateText(at: number | string): string {
  const { weekday, day, month } = partsOf(at, 'long');
  return `${weekday}, ${inOrder(day, month)}`;
}

/** `Tue`, `Tuesday` */
export function weekdayText(day: string, form: 'short' | 'long'): string {
  return format({ weekday: form }, 'UTC').format(millis(day));
}

/** `January 2026` */
export function monthText(day: string): string {
  return format({ month: 'long', year: 'numeric' }, 'UTC').format(millis(day));
}

/** The number of days from today: 0 is today, −1 yesterday. */
export function daysFromToday(at: number | string): number {
  const day = (text: string) => Date.parse(`${text}T12:00:00Z`) / DAY_MS;
  return Math.round(day(dayOf(at)) - day(dayOf(clock.now())));
}

/** `Today, 09:23`, `Yesterday, 18:02`, `Mon 5 Jan, 10:00` */
export function momentText(at: number | string): string {
  const days = daysFromToday(at);
  if (days === 0) return t('time.today_at', { time: timeText(at) });
  if (days === -1) return t('time.yesterday_at', { time: timeText(at) });
  return `${dateText(at)}, ${timeText(at)}`;
}

/** For use within a sentence: `today, 09:23`, `yesterday, 18:02`, `Mon 5 Jan, 10:00` */
export function momentIn(at: number | string): string {
  const days = daysFromToday(at);
  if (days === 0) return t('time.today_in', { time: timeText(at) });
  if (days === -1) return t('time.yesterday_in', { time: timeText(at) });
  return momentText(at);
}

/** For lists: `09:23` today, else `Mon 5 Jan`. */
export function whenText(at: number | string): string {
  const days = daysFromToday(at);
  if (days === 0) return timeText(at);
  if (days === -1) return t('time.yesterday');
  return dateText(at);
}

/** `41 ms`, `1.8 s`, `under 1 ms` */
export function tookText(ms: number): string {
  if (ms < 1) return t('time.under_ms');
  if (ms < 1000) return t('time.ms', { n: Math.round(ms) });
  return t('time.seconds', { n: (ms / 1000).toFixed(1) });
}

/** `14 min left`, `40 s left`, `expired`; `spoken` gives the form for screen readers. */
export function leftText(ms: number, spoken = false): string {
  if (ms <= 0) return t('time.expired');
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return t(spoken ? 'time.seconds_left_long' : 'time.seconds_left', { n: seconds });
  return t(spoken ? 'time.minutes_left_long' : 'time.minutes_left', { n: Math.floor(seconds / 60) });
}

/** `214 kB` */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return t('size.bytes', { n: bytes });
  if (bytes < 1_000_000) return t('size.kb', { n: Math.round(bytes / 1000) });
  return t('size.mb', { n: (bytes / 1_000_000).toFixed(1) });
}

/** `Four`, `12` */
export function countWord(n: number): string {
  const words = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
  const known = words.find((one) => one === n);
  return known === undefined ? String(n) : t(`number.${known}`);
}
