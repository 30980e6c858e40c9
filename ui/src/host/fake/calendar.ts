import type { EventRow, JsonValue } from '../wire';
import { guestsOf, ZONE } from './rows';

type Fields = Record<string, JsonValue | undefined>;

const MINUTE_MS = 60_000;
const USUAL_MINUTES = 30;
const OFFSET = '-05:00';

/** Drops the zone in brackets, because stored rows have none. */
const bare = (moment: JsonValue | undefined) => String(moment).replace(/\[.*\]$/, '');
const isDay = (moment: string) => !moment.includes('T');
const nextDay = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
const later = (moment: string, ms: number) =>
  `${new Date(Date.parse(moment) + ms - 5 * 3_600_000).toISOString().slice(0, 19)}${OFFSET}`;

/** The event that `calendar.create` makes. */
export function made(id: string, args: Fields): EventRow {
  const start = bare(args['start']);
  const allDay = isDay(start);
  const minutes = Number(args['duration_minutes'] ?? USUAL_MINUTES);
  const last = args['end'] ? bare(args['end']) : allDay ? start : later(start, minutes * MINUTE_MS);
  const people = (args['people'] ?? []) as string[];
  return {
    id,
    uid: `${id}@adjutant`,
    summary: String(args['summary']),
    start,
    end: allDay ? nextDay(last) : last,
    tz: allDay ? '' : ZONE,
    all_day: allDay,
    location: String(args['location'] ?? ''),
    description: String(args['description'] ?? ''),
    attendees: people,
    guests: guestsOf(people),
    rrule: (args['rrule'] ?? null) as string | null,
    repeats: args['rrule'] ? sayOf(String(args['rrule'])) : null,
    calendar: String(args['calendar'] ?? 'Personal'),
    instance: null,
  };
}

/** The event after `calendar.update`. */
export function changed(row: EventRow, changes: Fields): EventRow {
  const length = Date.parse(row.end) - Date.parse(row.start);
  let { start, end } = row;
  if (changes['date']) {
    start = isDay(start) ? String(changes['date']) : String(changes['date']) + start.slice(10);
    end = isDay(start) ? new Date(Date.parse(start) + length).toISOString().slice(0, 10) : later(start, length);
  }
  if (changes['start']) {
    start = bare(changes['start']);
    end = isDay(start) ? nextDay(start) : later(start, length);
  }
  if (changes['end']) end = isDay(bare(changes['end'])) ? nextDay(bare(changes['end'])) : bare(changes['end']);
  const gone = (changes['remove_people'] ?? []) as string[];
  const attendees = [
    ...row.attendees.filter((one) => !gone.includes(one)),
    ...((changes['add_people'] ?? []) as string[]),
  ];
  const rrule = changes['clear_rrule'] ? null : ((changes['rrule'] ?? row.rrule) as string | null);
  const texts = Object.fromEntries(
    ['summary', 'location', 'description', 'calendar']
      .filter((key) => key in changes)
      .map((key) => [key, changes[key]]),
  );
  return {
    ...row,
    ...texts,
    start,
    end,
    attendees,
    guests: guestsOf(attendees),
    all_day: isDay(start),
    rrule,
    repeats: rrule === row.rrule ? row.repeats : rrule && sayOf(rrule),
  };
}

/** The rules the engine offers on a Tuesday, in its own words. */
const RULES: readonly [rule: string, say: string][] = [
  ['FREQ=DAILY', 'every day'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'every weekday'],
  ['FREQ=WEEKLY;BYDAY=TU', 'every week on Tue'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', 'every 2 weeks on Tue'],
  ['FREQ=MONTHLY;BYMONTHDAY=13', 'every month on the 13th'],
  ['FREQ=YEARLY', 'every year'],
];
export const sayOf = (rule: string) => offered(rule, null).find((one) => one.rule === rule)?.say ?? rule;

export function offered(now: string | null, last: string | null): { rule: string; say: string }[] {
  const known = RULES.map(([rule, say]) =>
    last ? { rule: `${rule};UNTIL=${last.replaceAll('-', '')}T235959Z`, say: `${say}, until ${last}` } : { rule, say },
  );
  const isKnown = now === null || last !== null || known.some((one) => one.rule === now);
  return isKnown ? known : [{ rule: now, say: now === 'FREQ=WEEKLY;BYDAY=WE' ? 'every week on Wed' : now }, ...known];
}
