import type { EventRow, Id } from '../../host';
import { act } from '../act';
import { eventBox } from './box.svelte';
import { forSeriesOnly, repeats, whichArgs, type Answer, type Args, type Scope } from './event';

interface Options {
  /** Called with the id of the waiting action, when the person must approve it first. */
  onasked?: (id: Id) => void;
}

/** Changes an event, after asking how much of a series to change. Resolves to whether it was done. */
export async function changeEvent(event: EventRow, changes: Args, options: Options = {}): Promise<boolean> {
  let scope: Scope | null = null;
  if (repeats(event)) {
    scope = forSeriesOnly(changes) ? 'series' : await eventBox.scopeOf(event, 'change');
    if (scope === null) return false;
  }
  return (await act('calendar.update', { ...whichArgs(event, scope), changes }, options)) !== null;
}

/** Deletes an event, after asking how much of a series to delete. Resolves to whether it was done. */
export async function removeEvent(event: EventRow, options: Options = {}): Promise<boolean> {
  let scope: Scope | null = null;
  if (repeats(event)) {
    scope = await eventBox.scopeOf(event, 'delete');
    if (scope === null) return false;
  }
  return (await act('calendar.delete', whichArgs(event, scope), options)) !== null;
}

/** Answers an invitation, after asking how much of a series is meant. Resolves to whether it was done. */
export async function answerEvent(event: EventRow, response: Answer): Promise<boolean> {
  let scope: Scope | null = null;
  if (repeats(event)) {
    scope = await eventBox.scopeOf(event, 'answer');
    if (scope === null) return false;
  }
  return (await act('calendar.respond', { ...whichArgs(event, scope), response })) !== null;
}
