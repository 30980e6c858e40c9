import type { EventRow } from '../../host';
import type { Draft, Scope } from './event';

/** What is shown of one event over the window, or of one that is not there yet. */
export type Shown =
  { mode: 'look'; event: EventRow } | { mode: 'edit'; event: EventRow } | { mode: 'new'; draft: Draft };

/** How much of a series is meant: asked before something is done to it. */
interface ScopeAsked {
  event: EventRow;
  what: 'change' | 'delete';
  answer: (scope: Scope | null) => void;
}

/**
 * Events over the window: looked at, written, and done something to (`change.ts`). Any surface may open one. A start loads
 * this file, so it has state and nothing else.
 */
class EventBox {
  shown = $state.raw<Shown | null>(null);
  asked = $state.raw<ScopeAsked | null>(null);

  look(event: EventRow): void {
    this.shown = { mode: 'look', event };
  }

  edit(event: EventRow): void {
    this.shown = { mode: 'edit', event };
  }

  make(draft: Draft): void {
    this.shown = { mode: 'new', draft };
  }

  close(): void {
    this.shown = null;
  }

  /** Asks how much of a series is meant; null when the person says none of it. */
  scopeOf(event: EventRow, what: ScopeAsked['what']): Promise<Scope | null> {
    this.asked?.answer(null);
    return new Promise((resolve) => {
      this.asked = {
        event,
        what,
        answer: (scope) => {
          this.asked = null;
          resolve(scope);
        },
      };
    });
  }
}

export const eventBox = new EventBox();
