import type { EventRow } from '../../host';
import { keyOf } from '../../kit/agenda/agenda';
import { announce } from '../../kit/announce.svelte';
import { t } from '../../kit/strings';
import '../../kit/strings/en/today';
import { longDateText } from '../../kit/time';

/** A press becomes a drag after the pointer has moved this far. */
const DRAG_PX = 4;

interface Holding {
  event: EventRow;
  /** Its day at the start, and the day below it now. */
  from: string;
  to: string;
  /** Held by the keyboard. */
  keys: boolean;
  /** Where the pointer was pressed; null once it has moved far enough to be a drag. */
  at: { x: number; y: number } | null;
}

/** The event of a month that the person holds with the pointer or the keyboard, until they drop it or let go. */
export class HeldDay {
  now = $state.raw<Holding | null>(null);
  /** A click follows the end of a drag; it must not open the event. */
  #dragged = false;
  #drop: (event: EventRow, from: string, to: string) => void;

  constructor(drop: (event: EventRow, from: string, to: string) => void) {
    this.#drop = drop;
  }

  /** The event that the keys hold. */
  get byKeys(): EventRow | null {
    return this.now?.keys ? this.now.event : null;
  }

  /** The day below the event, once it has moved; null before. */
  get over(): string | null {
    return this.now?.at === null ? this.now.to : null;
  }

  /** Whether this event has left its place. */
  isAway = (event: EventRow): boolean => this.now?.at === null && keyOf(this.now.event) === keyOf(event);

  take(pointer: PointerEvent, event: EventRow, from: string): void {
    if (pointer.button !== 0 || pointer.pointerType === 'touch' || this.now) return;
    this.#dragged = false;
    this.now = { event, from, to: from, keys: false, at: { x: pointer.clientX, y: pointer.clientY } };
  }

  move(pointer: PointerEvent): void {
    const { now } = this;
    if (!now || now.keys) return;
    if (now.at && Math.hypot(pointer.clientX - now.at.x, pointer.clientY - now.at.y) < DRAG_PX) return;
    this.#dragged = true;
    const cell = document.elementFromPoint(pointer.clientX, pointer.clientY)?.closest<HTMLElement>('[data-date]');
    this.now = { ...now, at: null, to: cell?.dataset['date'] ?? now.to };
  }

  /** Picks up the focused event so that the arrows move it. */
  takeByKeys(event: EventRow, from: string): void {
    this.now = { event, from, to: from, keys: true, at: null };
    announce.say(t('today.held', { what: event.summary }));
  }

  moveTo(to: string): void {
    if (!this.now) return;
    this.now = { ...this.now, to };
    announce.say(longDateText(to));
  }

  /** Drops it on its current day. */
  put(): void {
    const { now } = this;
    this.now = null;
    if (now && now.at === null && now.to !== now.from) this.#drop(now.event, now.from, now.to);
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
