import type { EventRow } from '../../host';
import { act } from '../act';
import { forSeriesOnly, repeats, whichArgs, type Args, type Draft, type Scope } from './event';

/** What is shown of one event over the window, or of one that is not there yet. */
export type Shown =
  { mode: 'look'; event: EventRow } | { mode: 'edit'; event: EventRow } | { mode: 'new'; draft: Draft };

/** How much of a series is meant: asked before something is done to it. */
interface ScopeAsked {
  event: EventRow;
  what: 'change' | 'delete';
  answer: (scope: Scope | null) => void;
}

/** Events over the window: looked at, written, and done something to. Any surface may open one. */
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

  /** Changes an event; of a series, as much as the person says. Resolves to whether it was done. */
  async change(event: EventRow, changes: Args): Promise<boolean> {
    let scope: Scope | null = null;
    if (repeats(event)) {
      scope = forSeriesOnly(changes) ? 'series' : await this.#scopeOf(event, 'change');
      if (scope === null) return false;
    }
    return (await act('calendar.update', { ...whichArgs(event, scope), changes })) !== null;
  }

  /** Deletes an event; of a series, as much as the person says. */
  async remove(event: EventRow): Promise<boolean> {
    let scope: Scope | null = null;
    if (repeats(event)) {
      scope = await this.#scopeOf(event, 'delete');
      if (scope === null) return false;
    }
    return (await act('calendar.delete', whichArgs(event, scope))) !== null;
  }

  #scopeOf(event: EventRow, what: ScopeAsked['what']): Promise<Scope | null> {
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
