import type { Approval, EventRow, Id } from '../../host';
import { addDays } from '../moment';
import { dayOf, isDate, millis } from '../time';

/** An event as it would be if the person approved a waiting action. */
export interface Ghost {
  key: string;
  approval: Id;
  summary: string;
  /** Milliseconds. */
  start: number;
  end: number;
  /** The first and last day of the event. */
  day: string;
  last: string;
  allDay: boolean;
  /** The event as it is now; null for a new event, or if it is not among the loaded ones. */
  before: EventRow | null;
  /** The event already exists and would move. */
  moves: boolean;
}

/** The events that waiting actions would put into the calendar. Skips changes that leave the times as they are. */
export function ghostsOf(waiting: readonly Approval[], events: readonly EventRow[]): Ghost[] {
  const proposed = waiting.flatMap((approval) => approval.proposed.map((one, place) => ({ approval, one, place })));
  if (proposed.length === 0) return [];
  const byId = new Map<Id, EventRow[]>();
  for (const event of events) byId.set(event.id, [...(byId.get(event.id) ?? []), event]);
  const byUid = new Map(events.map((event) => [`${event.uid} ${instantOf(event.instance)}`, event]));
  const ghosts = proposed.map(({ approval, one, place }): Ghost | null => {
    const same = one.id === null ? undefined : byId.get(one.id);
    const before =
      (one.instance !== null
        ? byUid.get(`${one.uid} ${instantOf(one.instance)}`)
        : same?.length === 1
          ? same[0]
          : null) ?? null;
    if (before && at(before.start) === at(one.start) && at(before.end) === at(one.end)) return null;
    return {
      key: `${approval.id}@${place}`,
      approval: approval.id,
      summary: one.summary,
      start: millis(one.start),
      end: millis(one.end),
      day: dayOf(one.start),
      last: lastOf(one.start, one.end),
      allDay: one.all_day,
      before,
      moves: one.id !== null || one.instance !== null,
    };
  });
  return ghosts.filter((one) => one !== null).sort((a, b) => a.start - b.start);
}

/** Whether the proposed event would be on this day. */
export function ghostOn(ghost: Ghost, day: string): boolean {
  return ghost.day <= day && day <= ghost.last;
}

/** Ends are exclusive. */
function lastOf(start: string, end: string): string {
  if (isDate(start)) return end > start ? addDays(end, -1) : start;
  return dayOf(Math.max(millis(start), millis(end) - 1));
}

const at = (moment: string) => (isDate(moment) ? moment : millis(moment));
const instantOf = (moment: string | null) => (moment === null ? '' : at(moment));
