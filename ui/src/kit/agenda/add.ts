import { act } from '../act';
import { addDays } from '../moment';
import { readCall, type ToolArgs } from '../reading';
import { t } from '../strings';
import '../strings/en/today';
import { dateText, dayOf, isDate, millis, timeText } from '../time';
import { draftOf, type Draft } from './event';

/** Maximum length of a title. */
export const LINE_CHARS_MAX = 500;

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** A line read as an event: the arguments of `calendar.create`. */
export type EventReading = ToolArgs & { summary: string; start: string };

type Added = { state: 'made'; day: string } | { state: 'unclear' } | { state: 'refused' };

/** Reads a line such as “Lunch with Ana on Friday at 12”; null when it names no time. */
export async function readEvent(line: string): Promise<EventReading | null> {
  const args = await readCall('calendar.create', `Schedule ${line}`);
  const isEvent = typeof args?.['start'] === 'string' && typeof args['summary'] === 'string';
  return isEvent ? (args as EventReading) : null;
}

/** Creates an event from one line; `unclear` when the line names no time. */
export async function addEvent(line: string): Promise<Added> {
  const args = await readEvent(line);
  if (args === null) return { state: 'unclear' };
  return (await act('calendar.create', args)) ? { state: 'made', day: dayOf(args.start) } : { state: 'refused' };
}

const textIn = (args: EventReading, key: string) => (typeof args[key] === 'string' ? args[key] : '');
const peopleIn = (args: EventReading) => (Array.isArray(args['people']) ? args['people'].map(String) : []);
const isWhole = (args: EventReading) => args['all_day'] === true || isDate(args.start);

/** When the event ends, as an instant; null if the line does not say and the usual length counts. */
function endOf(args: EventReading): string | null {
  if (textIn(args, 'end')) return textIn(args, 'end');
  const minutes = args['duration_minutes'];
  if (typeof minutes !== 'number') return null;
  return new Date(millis(args.start) + minutes * MINUTE_MS).toISOString();
}

/** What was read, one tag each: title, time, place, guests and repetition. */
export function tagsOf(args: EventReading): string[] {
  return [
    args.summary,
    whenOf(args),
    textIn(args, 'location'),
    ...peopleIn(args),
    args['rrule'] ? t('today.repeats') : '',
    textIn(args, 'calendar'),
  ].filter(Boolean);
}

function whenOf(args: EventReading): string {
  const end = endOf(args);
  const day = dateText(args.start);
  if (isWhole(args)) {
    const last = end === null || dayOf(end) === dayOf(args.start) ? '' : ` – ${dateText(end)}`;
    return t('today.span_whole', { days: `${day}${last}` });
  }
  const from = timeText(args.start);
  if (end === null) return t('today.reads_from', { day, from });
  const to = dayOf(end) === dayOf(args.start) ? timeText(end) : `${dateText(end)}, ${timeText(end)}`;
  return t('today.span', { day, from, to });
}

/** What was read, as the form edits it. */
export function draftIn(args: EventReading): Draft {
  const allDay = isWhole(args);
  const end = endOf(args) ?? new Date(millis(args.start) + HOUR_MINUTES * MINUTE_MS).toISOString();
  const day = dayOf(args.start);
  const draft = draftOf({
    all_day: allDay,
    start: allDay ? day : args.start,
    // A stored whole-day event ends on the day after its last.
    end: allDay ? addDays(textIn(args, 'end') ? dayOf(end) : day, 1) : end,
    ...{ summary: args.summary, location: textIn(args, 'location'), description: textIn(args, 'description') },
    ...{ calendar: textIn(args, 'calendar'), rrule: textIn(args, 'rrule') || null, attendees: peopleIn(args) },
  });
  // Hours in case the person makes it a timed event.
  return allDay ? { ...draft, time: '09:00', endTime: '10:00' } : draft;
}
