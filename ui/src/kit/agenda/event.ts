import type { EventRow, JsonValue } from '../../host';
import { addDays, zoned } from '../moment';
import { dayOf, isDate, wallTimeText } from '../time';
import '../strings/en/today';
import { toolId } from './agenda';

export type Args = Record<string, JsonValue>;
/** How much of a series to change. */
export type Scope = 'this' | 'following' | 'series';

/** The answers to an invitation, as the tool names them. */
export const ANSWERS = ['accepted', 'tentative', 'declined'] as const;
export type Answer = (typeof ANSWERS)[number];

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** An event as the form edits it. Days and times are in the person's zone; the last day is inclusive. */
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

/** Converts minutes since midnight into a time such as `09:30` and the number of days later it falls. */
export function clockOf(minute: number): { time: string; days: number } {
  const days = Math.floor(minute / DAY_MINUTES);
  const left = minute - days * DAY_MINUTES;
  const two = (n: number) => String(n).padStart(2, '0');
  return { time: `${two(Math.floor(left / HOUR_MINUTES))}:${two(left % HOUR_MINUTES)}`, days };
}

/** A new event from one minute of a day to another. */
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

/** An event as the form edits it. */
export function draftOf(
  event: Pick<
    EventRow,
    'summary' | 'all_day' | 'start' | 'end' | 'location' | 'description' | 'calendar' | 'rrule' | 'attendees'
  >,
): Draft {
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

/** What keeps a draft from being stored, by field. */
export type Faults = Partial<
  Record<
    'summary' | 'day' | 'time' | 'lastDay' | 'endTime',
    'today.needs_title' | 'today.needs_when' | 'today.ends_before'
  >
>;

export function faultsIn(draft: Draft): Faults {
  const faults: Faults = {};
  if (!draft.summary.trim()) faults.summary = 'today.needs_title';
  const when = draft.allDay ? (['day', 'lastDay'] as const) : (['day', 'time', 'lastDay', 'endTime'] as const);
  const empty = when.find((field) => draft[field] === '');
  if (empty) faults[empty] = 'today.needs_when';
  else if (draft.lastDay < draft.day) faults.lastDay = 'today.ends_before';
  else if (!draft.allDay && draft.lastDay === draft.day && draft.endTime <= draft.time)
    faults.endTime = 'today.ends_before';
  return faults;
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

/** The differences as arguments of `calendar.update`; null if there are none. */
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

/** Whether the changes can apply only to the whole series. */
export const forSeriesOnly = (changes: Args) => ['calendar', 'rrule', 'clear_rrule'].some((field) => field in changes);

/** The arguments that tell a tool which event, and how much of its series, to change or delete. */
export function whichArgs(event: EventRow, scope: Scope | null): Args {
  if (scope === null) return { id: toolId(event) };
  return { id: toolId(event), scope };
}

/** Whether the event is part of a series, so that the person must say how much of it they mean. */
export const repeats = (event: EventRow) => event.rrule !== null || event.instance !== null;

/** Hosts of known meeting services; a link to any other host in a description is no meeting link. */
const MEETINGS =
  /(^|\.)(zoom\.us|zoom\.com|meet\.google\.com|teams\.microsoft\.com|teams\.live\.com|webex\.com|whereby\.com|meet\.jit\.si|chime\.aws|gotomeeting\.com|bluejeans\.com|around\.co|discord\.gg)$/;

/** The address of the meeting: a link in the location, else a link to a known meeting service in the description. */
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
