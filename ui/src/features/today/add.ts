import type { JsonValue } from '../../host';
import { act } from '../../kit/act';
import { readCall } from '../../kit/reading';

export const LINE_CHARS_MAX = 500;

/**
 * Stores a line: as a task when it asks for one, as an event when it names a time, else as a task. A task is due on
 * `day` unless the line names another day (“Send the lease tomorrow”). Resolves to whether it was stored.
 */
export async function takeIn(line: string, day: string): Promise<boolean> {
  const text = line.trim();
  if (!text) return false;
  const task = await readCall('task.create', text);
  if (isNamed(task)) return (await act('task.create', { due: day, ...task })) !== null;
  const event = (await readCall('calendar.create', text)) ?? (await readCall('calendar.create', `Schedule ${text}`));
  if (event && typeof event['start'] === 'string') return (await act('calendar.create', event)) !== null;
  const plain = await readCall('task.create', `Add a task: ${text}`);
  return (await act('task.create', { due: day, ...(isNamed(plain) ? plain : { title: text }) })) !== null;
}

const isNamed = (task: { [field: string]: JsonValue } | null): task is { title: string } =>
  typeof task?.['title'] === 'string' && task['title'].trim() !== '';
