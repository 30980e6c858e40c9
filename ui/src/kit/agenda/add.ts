import { act } from '../act';
import { readCall } from '../reading';
import { dayOf } from '../time';

/** Maximum length of a title. */
export const LINE_CHARS_MAX = 500;

type Added = { state: 'made'; day: string } | { state: 'unclear' } | { state: 'refused' };

/** Creates an event from one line, such as “Lunch with Ana on Friday at 12”; `unclear` when the line names no time. */
export async function addEvent(line: string): Promise<Added> {
  const args = await readCall('calendar.create', `Schedule ${line}`);
  const start = args?.['start'];
  if (args === null || typeof start !== 'string' || typeof args['summary'] !== 'string') return { state: 'unclear' };
  return (await act('calendar.create', args)) ? { state: 'made', day: dayOf(start) } : { state: 'refused' };
}
