import type { EventRow, JsonValue } from '../../host';
import { addDays, zoned } from '../moment';
import { dayOf, isDate, wallTimeText } from '../time';
import '../strings/en/today';
import { toolId } from './agenda';

export type Args = Record<string, JsonValue>;
/** How much of a series is meant. */
export type Scope = 'this' | 'following' | 'series';

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** An event as a form has it. Days and times are those of the person; the last day is inside. */
export interface Draft {
  summary: string;
  allDay: boolean;
  day: string;
  time: string;
  lastDay: string;
  endTime: string;
  location: string;
  description: string;
  calendar: string;
  rrule: string | null;
  people: string[];
}

/** `09:30` from minutes since midnight, and how many days later that is. */
export function clockOf(minute: number): { time: string; days: number } {
  const days = Math.floor(minute / DAY_MINUTES);
  const left = minute - days * DAY_MINUTES;
  const two = (n: number) => String(n).padStart(2, '0');
  return { time: `${two(Math.floor(left / HOUR_MINUTES))}:${two(left % HOUR_MINUTES)}`, days };
}

/** An event that is not there yet, from a minute of a day to another. */
export function blank(day: string, from: number, to: number, more: Partial<Draft> = {}): Draft {
  const [start, end] = [clockOf(from), clockOf(to)];
  return {
    summary: '',
    allDay: false,
    day: addDays(day, start.days),
    time: start.time,
    lastDay: addDays(day, end.days),
    endTime: end.time,
    location: '',
    description: '',
    calendar: '',
    rrule: null,
    people: [],
    ...more,
  };
}

export function draftOf(event: EventRow): Draft {
  const allDay = event.all_day || isDate(event.start);
  return {
    summary: event.summary,
    allDay,
    day: dayOf(event.start),
    time: allDay ? '' : wallTimeText(event.start),
    // Ends are exclusive.
    lastDay: allDay ? (event.end > event.start ? addDays(event.end, -1) : event.start) : dayOf(event.end),
    endTime: allDay ? '' : wallTimeText(event.end),
    location: event.location,
    description: event.description,
    calendar: event.calendar,
    rrule: event.rrule,
    people: event.attendees,
  };
}

const startOf = (draft: Draft) => (draft.allDay ? draft.day : zoned(draft.day, draft.time));
const endOf = (draft: Draft) => (draft.allDay ? draft.lastDay : zoned(draft.lastDay, draft.endTime));

/** What is wrong with a draft, or null. */
export function faultIn(draft: Draft): 'today.needs_title' | 'today.needs_when' | 'today.ends_before' | null {
  if (!draft.summary.trim()) return 'today.needs_title';
  if (!draft.day || !draft.lastDay || (!draft.allDay && (!draft.time || !draft.endTime))) return 'today.needs_when';
  const [from, to] = draft.allDay
    ? [draft.day, draft.lastDay]
    : [`${draft.day}T${draft.time}`, `${draft.lastDay}T${draft.endTime}`];
  return to < from || (to === from && !draft.allDay) ? 'today.ends_before' : null;
}

/** The arguments of `calendar.create`. */
export function createArgs(draft: Draft): Args {
  const given = {
    location: draft.location.trim(),
    description: draft.description,
    calendar: draft.calendar.trim(),
    rrule: draft.rrule ?? '',
  };
  return {
    summary: draft.summary.trim(),
    start: startOf(draft),
    end: endOf(draft),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
    ...(draft.people.length > 0 ? { people: draft.people } : {}),
  };
}

/** What differs, as `calendar.update` takes it; null when nothing does. */
export function changesOf(before: Draft, after: Draft): Args | null {
  const changes: Args = {};
  if (after.summary.trim() !== before.summary) changes['summary'] = after.summary.trim();
  if (startOf(after) !== startOf(before) || endOf(after) !== endOf(before)) {
    changes['start'] = startOf(after);
    changes['end'] = endOf(after);
  }
  for (const field of ['location', 'description', 'calendar'] as const) {
    if (after[field] !== before[field]) changes[field] = after[field];
  }
  if (after.rrule !== before.rrule) {
    if (after.rrule === null) changes['clear_rrule'] = true;
    else changes['rrule'] = after.rrule;
  }
  const added = after.people.filter((one) => !before.people.includes(one));
  const gone = before.people.filter((one) => !after.people.includes(one));
  if (added.length > 0) changes['add_people'] = added;
  if (gone.length > 0) changes['remove_people'] = gone;
  return Object.keys(changes).length > 0 ? changes : null;
}

/** Whether only the whole series can be changed so. */
export const forSeriesOnly = (changes: Args) => ['calendar', 'rrule', 'clear_rrule'].some((field) => field in changes);

/** The arguments of a tool that changes or deletes an event; of one that repeats, so much of it. */
export function whichArgs(event: EventRow, scope: Scope | null): Args {
  if (scope === null) return { id: toolId(event) };
  return { id: toolId(event), scope };
}

/** Whether one has to say how much of a series is meant. */
export const repeats = (event: EventRow) => event.rrule !== null || event.instance !== null;

/** Services a meeting is joined at; a link to anything else in a description is no way in. */
const MEETINGS =
  /(^|\.)(zoom\.us|zoom\.com|meet\.google\.com|teams\.microsoft\.com|teams\.live\.com|webex\.com|whereby\.com|meet\.jit\.si|chime\.aws|gotomeeting\.com|bluejeans\.com|around\.co|discord\.gg)$/;

/** The address of the meeting: the place, when it is one, or what the description names at a known service. */
export function joinLink(event: EventRow): string | null {
  const found = (text: string) =>
    [...text.matchAll(/https:\/\/[^\s<>"')\]]+/g)].map(([address]) => address.replace(/[.,;]+$/, ''));
  const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : '');
  return (
    found(event.location).find((address) => hostOf(address) !== '') ??
    found(event.description).find((address) => MEETINGS.test(hostOf(address))) ??
    null
  );
}
