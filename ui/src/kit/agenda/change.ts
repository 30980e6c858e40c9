import type { EventRow } from '../../host';
import { act } from '../act';
import { eventBox } from './box.svelte';
import { forSeriesOnly, repeats, whichArgs, type Args, type Scope } from './event';

/** Changes an event, after asking how much of a series to change. Resolves to whether it was done. */
export async function changeEvent(event: EventRow, changes: Args): Promise<boolean> {
  let scope: Scope | null = null;
  if (repeats(event)) {
    scope = forSeriesOnly(changes) ? 'series' : await eventBox.scopeOf(event, 'change');
    if (scope === null) return false;
  }
  return (await act('calendar.update', { ...whichArgs(event, scope), changes })) !== null;
}

/** Deletes an event, after asking how much of a series to delete. Resolves to whether it was done. */
export async function removeEvent(event: EventRow): Promise<boolean> {
  let scope: Scope | null = null;
  if (repeats(event)) {
    scope = await eventBox.scopeOf(event, 'delete');
    if (scope === null) return false;
  }
  return (await act('calendar.delete', whichArgs(event, scope))) !== null;
}
