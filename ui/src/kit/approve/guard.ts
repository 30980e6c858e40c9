/**
 * For this long after a card appears, moves or changes, Approve ignores input: it was meant for what was there before.
 */
export const GUARD_MS = 600;

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Decides whether an input may approve. It compares the time of the input *event* (monotonic) with the last time the
 * button moved or the card changed, so that a press handled late cannot slip through. An unmeasured button never
 * approves.
 */
export class ApproveGuard {
  #since: number;
  /** When the content last changed; moves do not count. */
  #changed: number;
  #place: Place | null = null;
  readonly #mono: () => number;

  constructor(mono: () => number) {
    this.#mono = mono;
    this.#since = mono();
    this.#changed = this.#since;
  }

  /** Call when the card appears, or when its content or its keys change. */
  changed(): void {
    this.#since = this.#mono();
    this.#changed = this.#since;
  }

  /** Records the button's position; restarts the guard if it moved. */
  seenAt(place: Place): void {
    const before = this.#place;
    this.#place = place;
    if (!before || !samePlace(before, place)) this.#since = this.#mono();
  }

  /**
   * Whether an input at `eventAt` counts, with the button at `place` now. Also detects a move that nobody reported, and
   * then refuses this input.
   */
  allows(eventAt: number, place: Place): boolean {
    this.seenAt(place);
    return eventAt - this.#since >= GUARD_MS;
  }

  /** Whether a key pressed at `eventAt` counts: a key has no position, so only changes of the content matter. */
  allowsKey(eventAt: number): boolean {
    return eventAt - this.#changed >= GUARD_MS;
  }
}

/** Sub-pixel drift from zoom or text hinting is not a move. */
const STILL_PX = 1.5;

function samePlace(a: Place, b: Place): boolean {
  return (
    Math.abs(a.x - b.x) <= STILL_PX &&
    Math.abs(a.y - b.y) <= STILL_PX &&
    Math.abs(a.width - b.width) <= STILL_PX &&
    Math.abs(a.height - b.height) <= STILL_PX
  );
}

/** Whether a scrolling box counts as read: its end has been in view. A box without height has not been seen. */
export function endSeen(box: { scrollTop: number; clientHeight: number; scrollHeight: number }): boolean {
  return box.clientHeight > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
}
