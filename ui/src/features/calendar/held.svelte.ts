import type { EventRow } from '../../host';
import { announce } from '../../kit/announce.svelte';
import { clockOf } from '../../kit/agenda/event';
import { t } from '../../kit/strings';
import '../../kit/strings/en/today';
import { addDays } from '../../kit/moment';
import { dateText } from '../../kit/time';
import { shownWhen } from '../../kit/typed';
import {
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

/** So far the pointer goes before a press is a drag. */
const DRAG_PX = 4;

interface Holding {
  /** What is held; none while something new is drawn. */
  event: EventRow | null;
  key: string;
  grip: Grip;
  was: Span;
  at: Span;
  /** By the keyboard. */
  keys: boolean;
  /** How far from its start it was taken: in minutes, or in days where it lasts whole ones. */
  grab: number;
  /** Where the pointer went down, until it has gone far enough. */
  from: { x: number; y: number } | null;
}

/** Where the pointer is, as the grid knows it. */
export type Finder = (x: number, y: number) => Place | null;

/** What a person holds in the grid, by the pointer or by the keys, until it is put down or let go. */
export class Held {
  now = $state.raw<Holding | null>(null);
  /** The click that ends a drag is none. */
  #dragged = false;
  #find: Finder;
  #drop: (event: EventRow | null, span: Span) => void;

  constructor(find: Finder, drop: (event: EventRow | null, span: Span) => void) {
    this.#find = find;
    this.#drop = drop;
  }

  /** What is drawn in its new place; null while nothing has moved yet. */
  get shown(): Holding | null {
    return this.now !== null && this.now.from === null ? this.now : null;
  }

  /** A pointer goes down: on an event, or on a free place for a new one. */
  take(pointer: PointerEvent, event: EventRow | null, key: string, grip: Grip, was: Span | null): void {
    // A finger scrolls; it opens the event and edits it there.
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

  /** Takes what has the focus, to be moved with the arrows. */
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

  /** From whole days to the clock, and back. */
  turn(): void {
    const now = this.now;
    if (!now) return;
    const at = turned(now.at);
    this.now = { ...now, at };
    announce.say(spanText(at));
  }

  /** Puts it down where it is. */
  put(): void {
    const now = this.now;
    this.now = null;
    if (now && now.from === null && !isSame(now.was, now.at)) this.#drop(now.event, now.at);
    else if (now && now.from === null && now.event === null) this.#drop(null, now.at);
  }

  /** Lets it go: it stays where it was. */
  letGo(): void {
    this.now = null;
  }

  /** Whether a click only ends a drag. */
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

/** `Wed 14 Jan, 11:00–11:30`, `Wed 14 Jan, all day`, `Wed 14 Jan – Fri 16 Jan, all day` */
export function spanText(span: Span): string {
  if (span.days) {
    const last = addDays(span.day, span.days - 1);
    const days = span.days > 1 ? `${dateText(span.day)} – ${dateText(last)}` : dateText(span.day);
    return t('today.span_whole', { days });
  }
  return t('today.span', { day: dateText(span.day), from: clockText(span.from), to: clockText(span.to) });
}
