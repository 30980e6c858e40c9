import type { EventRow } from '../../host';
import { addDays } from '../moment';
import { dayOf, isDate, millis } from '../time';

/** Shorter gaps are no free time worth naming. */
const STRETCH_MIN_MS = 30 * 60_000;

export interface Slot {
  key: string;
  event: EventRow;
  /** Milliseconds. */
  start: number;
  end: number;
  /** Overlaps another of the day. */
  clash: boolean;
}

export interface Agenda {
  allDay: EventRow[];
  /** By start, then by end. */
  slots: Slot[];
}

/** Instances of a series share their id. */
export function keyOf(event: EventRow): string {
  return `${event.id}@${event.instance ?? event.start}`;
}

/** Which one the tools should take: an instance, or the event itself. */
export function toolId(event: EventRow): string {
  return event.instance && !event.id.includes('@') ? `${event.id}@${event.instance}` : event.id;
}

/** Ends are exclusive: what ends at midnight is not on the next day. */
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

/** The agenda of what is known to be on one day. */
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

/** Where the line of now goes: before this slot. */
export function nowPlace(slots: readonly Slot[], now: number): number {
  const at = slots.findIndex((slot) => slot.start > now);
  return at < 0 ? slots.length : at;
}

/** A time in which nothing is planned, between two things of the day. */
export interface Stretch {
  from: number;
  to: number;
}

/** The free times between things of the day that are still ahead, long enough to be worth naming. */
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

/** Where so much time is free on the day from `now` on, in whole quarters of an hour, up to `until`; null where it is not. */
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

/** Two things of the day that overlap and are both still ahead. */
export function overlapsOf(slots: readonly Slot[], now: number): [Slot, Slot][] {
  const ahead = slots.filter((slot) => slot.end > now && slot.end > slot.start);
  return ahead.flatMap((one, at) =>
    ahead.slice(at + 1).flatMap((other): [Slot, Slot][] => (other.start < one.end ? [[one, other]] : [])),
  );
}

/** The longest of them. */
export function freeStretch(slots: readonly Slot[], now: number): Stretch | null {
  return freeBetween(slots, now).reduce<Stretch | null>(
    (best, one) => (best === null || one.to - one.from > best.to - best.from ? one : best),
    null,
  );
}
