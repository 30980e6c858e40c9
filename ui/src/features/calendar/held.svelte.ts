import type { EventRow } from '../../host';
import { announce } from '../../kit/announce.svelte';
import { clockOf } from '../../kit/agenda/event';
import { t } from '../../kit/strings';
import '../../kit/strings/en/today';
import { DAY_MINUTES } from '../../kit/agenda/week';
import { addDays } from '../../kit/moment';
import { dateText } from '../../kit/time';
import { shownWhen } from '../../kit/typed';
import {
  barDays,
  dragged,
  drawn,
  drawnDays,
  grabbed,
  isSame,
  moved,
  stepped,
  turned,
  type Grip,
  type Place,
  type Span,
} from './drag';

/** A press becomes a drag after the pointer has moved this far. */
const DRAG_PX = 4;

interface Holding {
  /** The held event; null while the person draws a new one. */
  event: EventRow | null;
  key: string;
  grip: Grip;
  was: Span;
  at: Span;
  /** Held by the keyboard. */
  keys: boolean;
  /** The distance from the start at which it was picked up: in minutes, or in days for whole-day spans. */
  grab: number;
  /** Where the pointer was pressed; null once it has moved far enough to be a drag. */
  from: { x: number; y: number } | null;
}

/** Finds the point of the grid below the pointer. */
export type Finder = (x: number, y: number) => Place | null;

/** The block that the person holds with the pointer or the keyboard, until they drop it or let go. */
export class Held {
  now = $state.raw<Holding | null>(null);
  /** A click follows the end of a drag; it must not open the event. */
  #dragged = false;
  #find: Finder;
  #drop: (event: EventRow | null, span: Span) => void;

  constructor(find: Finder, drop: (event: EventRow | null, span: Span) => void) {
    this.#find = find;
    this.#drop = drop;
  }

  /** The held block, once it has moved; null before. */
  get shown(): Holding | null {
    return this.now !== null && this.now.from === null ? this.now : null;
  }

  /** A pointer is pressed on an event, or on free space to draw a new one. */
  take(pointer: PointerEvent, event: EventRow | null, key: string, grip: Grip, was: Span | null): void {
    // Touch scrolls instead; a tap opens the event, which can be edited there.
    if (pointer.button !== 0 || pointer.pointerType === 'touch' || this.now) return;
    const place = this.#find(pointer.clientX, pointer.clientY);
    if (!place) return;
    pointer.stopPropagation();
    this.#dragged = false;
    const fresh = place.whole ? drawnDays(place.day, place.day) : drawn(place.day, place.minute, place.minute);
    const start = was ?? fresh;
    const grab = was ? grabbed(was, place) : place.minute;
    const from = { x: pointer.clientX, y: pointer.clientY };
    this.now = { event, key, grip, was: start, at: start, keys: false, grab, from };
  }

  move(pointer: PointerEvent): void {
    const now = this.now;
    if (!now || now.keys) return;
    if (now.from && Math.hypot(pointer.clientX - now.from.x, pointer.clientY - now.from.y) < DRAG_PX) return;
    const place = this.#find(pointer.clientX, pointer.clientY);
    if (!place) return;
    this.#dragged = true;
    this.now = { ...now, at: reached(now, place), from: null };
  }

  /** Picks up the focused event so that the arrows move it. */
  takeByKeys(event: EventRow, key: string, was: Span): void {
    this.now = { event, key, grip: 'move', was, at: was, keys: true, grab: 0, from: null };
    announce.say(t('today.held', { what: event.summary }));
  }

  step(aside: number, down: number, grip: Grip): void {
    const now = this.now;
    if (!now) return;
    const at = stepped(grip, now.at, aside, down);
    this.now = { ...now, at };
    announce.say(spanText(at));
  }

  /** Turns a whole-day event into a timed one, or back. */
  turn(): void {
    const now = this.now;
    if (!now) return;
    const at = turned(now.at);
    this.now = { ...now, at };
    announce.say(spanText(at));
  }

  /** Drops it at its current position. */
  put(): void {
    const now = this.now;
    this.now = null;
    if (now && now.from === null && !isSame(now.was, now.at)) this.#drop(now.event, now.at);
    else if (now && now.from === null && now.event === null) this.#drop(null, now.at);
  }

  /** Lets go without moving anything. */
  letGo(): void {
    this.now = null;
  }

  /** Whether this click only ends a drag. Asking clears the answer. */
  endsDrag(): boolean {
    const was = this.#dragged;
    this.#dragged = false;
    return was;
  }
}

const clockText = (minute: number) => shownWhen(clockOf(minute).time, 'time');

function reached({ event, grip, was, grab }: Holding, place: Place): Span {
  if (event === null) return was.days ? drawnDays(was.day, place.day) : drawn(was.day, grab, place.minute);
  return grip === 'move' ? moved(was, place, grab) : dragged(grip, was, place.day, place.minute, grab);
}

/** `Wed 14 Jan, 11:00–11:30`, `Wed 14 Jan, 11:00 – Fri 16 Jan, 9:00`, `Wed 14 Jan, all day`, `Wed 14 Jan – Fri 16 Jan, all day` */
export function spanText(span: Span): string {
  if (span.days) {
    const last = addDays(span.day, span.days - 1);
    const days = span.days > 1 ? `${dateText(span.day)} – ${dateText(last)}` : dateText(span.day);
    return t('today.span_whole', { days });
  }
  const days = Math.floor(span.to / DAY_MINUTES);
  if (barDays(span) > 0)
    return `${dateText(span.day)}, ${clockText(span.from)} – ${dateText(addDays(span.day, days))}, ${clockText(span.to)}`;
  return t('today.span', { day: dateText(span.day), from: clockText(span.from), to: clockText(span.to) });
}
