import { act } from '../../kit/act';
import { readCall } from '../../kit/reading';

/** The longest title; more belongs in the notes. */
export const TITLE_CHARS_MAX = 500;

/**
 * Adds a task from one line. The engine reads it as it would in a conversation, so “tomorrow at 9” becomes the due
 * date; if it reads anything but one new task, the line itself becomes the title.
 */
export async function addTask(line: string): Promise<boolean> {
  const title = line.trim();
  if (!title) return false;
  const read = await readCall('task.create', `Add a task: ${title}`);
  const named = typeof read?.['title'] === 'string' && read['title'].trim() !== '';
  return (await act('task.create', named && read ? read : { title })) !== null;
}
