/** For this long after a card appears, moves or changes, Approve ignores input meant for what was there before. */
export const GUARD_MS = 600;

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Decides whether an input may approve. It compares the time of the *event* (monotonic, when the finger moved) with the
 * last time the button changed place, so a press handled late cannot slip through. Anything not measured refuses.
 */
export class ApproveGuard {
  #since: number;
  /** When what is shown last changed, whether or not it moved since. */
  #changed: number;
  #place: Place | null = null;
  readonly #mono: () => number;

  constructor(mono: () => number) {
    this.#mono = mono;
    this.#since = mono();
    this.#changed = this.#since;
  }

  /** The card appeared, or what it shows or which keys it takes changed. */
  changed(): void {
    this.#since = this.#mono();
    this.#changed = this.#since;
  }

  /** Where the button is now; restarts the guard when that is somewhere else. */
  seenAt(place: Place): void {
    const before = this.#place;
    this.#place = place;
    if (!before || !samePlace(before, place)) this.#since = this.#mono();
  }

  /**
   * Whether an input at `eventAt` counts, with the button at `place` right now. A move nobody noticed is noticed here, and
   * refuses this very input.
   */
  allows(eventAt: number, place: Place): boolean {
    this.seenAt(place);
    return eventAt - this.#since >= GUARD_MS;
  }

  /** Whether a key pressed at `eventAt` may decide: it has no place, so only what it was pressed for counts. */
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

/** A scrolling box counts as read once its end has been in view. An unmeasured one (no height) has not been seen. */
export function endSeen(box: { scrollTop: number; clientHeight: number; scrollHeight: number }): boolean {
  return box.clientHeight > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
}
