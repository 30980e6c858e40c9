import type { EventRow } from '../../host';
import type { Draft, Scope } from './event';

/** What the dialog shows: an existing event to view or edit, or the draft of a new one. */
export type Shown =
  { mode: 'look'; event: EventRow } | { mode: 'edit'; event: EventRow } | { mode: 'new'; draft: Draft };

/** A question to the person: how much of a series to change, delete or answer for. */
interface ScopeAsked {
  event: EventRow;
  what: 'change' | 'delete' | 'answer';
  answer: (scope: Scope | null) => void;
}

/**
 * State of the event dialogs, which any surface may open; `change.ts` applies the changes. This file is in the start
 * bundle, so it holds state and nothing else.
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

  /** Asks how much of a series is meant; resolves to null when the person cancels. */
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
