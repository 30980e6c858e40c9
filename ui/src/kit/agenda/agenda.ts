import type { EventRow } from '../../host';
import { addDays } from '../moment';
import { dayOf, isDate, millis } from '../time';

/** Gaps shorter than this are not worth listing as free time. */
const STRETCH_MIN_MS = 30 * 60_000;

export interface Slot {
  key: string;
  event: EventRow;
  /** Milliseconds. */
  start: number;
  end: number;
  /** Overlaps another event of the day. */
  clash: boolean;
}

export interface Agenda {
  allDay: EventRow[];
  /** Sorted by start, then by end. */
  slots: Slot[];
}

/** Key of one occurrence: all instances of a series share their id. */
export function keyOf(event: EventRow): string {
  return `${event.id}@${event.instance ?? event.start}`;
}

/** The id to pass to tools: of the instance, or of the event itself. */
export function toolId(event: EventRow): string {
  return event.instance && !event.id.includes('@') ? `${event.id}@${event.instance}` : event.id;
}

/** Ends are exclusive: an event that ends at midnight is not on the next day. */
export function isOn(event: EventRow, day: string): boolean {
  if (event.all_day || isDate(event.start)) {
    const end = event.end > event.start ? event.end : addDays(event.start, 1);
    return event.start <= day && day < end;
  }
  const start = millis(event.start);
  const last = Math.max(start, millis(event.end) - 1);
  return dayOf(start) <= day && day <= dayOf(last);
}

export function agendaOf(events: readonly EventRow[], day: string): Agenda {
  return agendaOfDay(events.filter((event) => isOn(event, day)));
}

/** The agenda of one day, from events already known to fall on it. */
export function agendaOfDay(here: readonly EventRow[]): Agenda {
  const slots = here
    .filter((event) => !event.all_day && !isDate(event.start))
    .map((event): Slot => ({
      key: keyOf(event),
      event,
      start: millis(event.start),
      end: millis(event.end),
      clash: false,
    }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let longest: Slot | undefined;
  for (const slot of slots) {
    if (longest && slot.start < longest.end && slot.end > slot.start) {
      slot.clash = true;
      longest.clash = true;
    }
    if (!longest || slot.end > longest.end) longest = slot;
  }
  return { allDay: here.filter((event) => event.all_day || isDate(event.start)), slots };
}

/** Index of the slot before which the current-time line goes. */
export function nowPlace(slots: readonly Slot[], now: number): number {
  const at = slots.findIndex((slot) => slot.start > now);
  return at < 0 ? slots.length : at;
}

/** A free stretch of time between two events of the day. */
export interface Stretch {
  from: number;
  to: number;
}

/** The remaining free stretches between events of the day that are long enough to list. */
export function freeBetween(slots: readonly Slot[], now: number): Stretch[] {
  const free: Stretch[] = [];
  let busyUntil: number | null = null;
  for (const slot of slots) {
    const from = Math.max(busyUntil ?? slot.start, now);
    if (busyUntil !== null && slot.start - from >= STRETCH_MIN_MS) free.push({ from, to: slot.start });
    busyUntil = Math.max(busyUntil ?? slot.end, slot.end);
  }
  return free;
}

/**
 * The first free stretch of this length from `now` on, starting on a quarter hour and ending by `until`; null if there
 * is none.
 */
export function nextFree(slots: readonly Slot[], length: number, now: number, until: number): Stretch | null {
  const quarter = 15 * 60_000;
  let from = Math.ceil(now / quarter) * quarter;
  for (const slot of slots) {
    if (slot.end <= from) continue;
    if (slot.start - from >= length) break;
    from = Math.ceil(slot.end / quarter) * quarter;
  }
  return from + length <= until ? { from, to: from + length } : null;
}

/** Pairs of overlapping events on one day that have both not ended yet. */
export function overlapsOf(slots: readonly Slot[], now: number): [Slot, Slot][] {
  const ahead = slots.filter((slot) => slot.end > now && slot.end > slot.start);
  return ahead.flatMap((one, at) =>
    ahead.slice(at + 1).flatMap((other): [Slot, Slot][] => (other.start < one.end ? [[one, other]] : [])),
  );
}

/** The longest free stretch between events of the day. */
export function freeStretch(slots: readonly Slot[], now: number): Stretch | null {
  return freeBetween(slots, now).reduce<Stretch | null>(
    (best, one) => (best === null || one.to - one.from > best.to - best.from ? one : best),
    null,
  );
}
