import { host, showPart, type Part, type TaskRow } from '../../host';
import { addDays } from '../../kit/moment';

/** Returns at most `max` open tasks due before a day, the latest first, and the number of all of them. */
export async function latestBefore(day: string, max: number): Promise<Part<TaskRow>> {
  // The engine lists the earliest first.
  const asked = { to: addDays(day, -1), limit: max, only: { done: false } };
  const earliest = await showPart(host, 'tasks', asked);
  const skipped = earliest.total - max;
  const latest = skipped > 0 ? await showPart(host, 'tasks', { ...asked, offset: skipped }) : earliest;
  return { rows: [...latest.rows].reverse(), total: latest.total };
}
