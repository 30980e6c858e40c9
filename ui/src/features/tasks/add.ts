import { host, type JsonValue } from '../../host';
import { act } from '../../kit/act';

/** As long as a title may be; more belongs into the notes. */
export const TITLE_CHARS_MAX = 500;
/** Where the window reads words without a conversation. */
const NO_CONVERSATION = 'direct';

type Args = Record<string, JsonValue>;

/**
 * Adds a task from one line. The engine reads the line as it would in a conversation, so "tomorrow at 9" becomes the date;
 * when it reads anything but one new task, the line itself is the title.
 */
export async function addTask(line: string): Promise<boolean> {
  const title = line.trim();
  if (!title) return false;
  return (await act('task.create', (await read(title)) ?? { title })) !== null;
}

async function read(line: string): Promise<Args | null> {
  try {
    const { reading } = await host.call('explain', { conversation: NO_CONVERSATION, text: `Add a task: ${line}` });
    return reading.reading === 'plan' ? taskOf(reading.steps) : null;
  } catch {
    // Reading is a convenience; the line is still a task.
    return null;
  }
}

/** The arguments of the one new task a plan consists of; nothing when it is any other plan. */
export function taskOf(steps: readonly JsonValue[]): Args | null {
  const [step, ...more] = steps;
  if (more.length > 0 || step === null || typeof step !== 'object' || Array.isArray(step)) return null;
  const { tool, args } = step as { tool?: JsonValue; args?: JsonValue };
  if (tool !== 'task.create' || args === null || typeof args !== 'object' || Array.isArray(args)) return null;
  const known = Object.entries(args).filter(([, value]) => value !== null);
  // A value that is worked out by another step cannot be applied by itself.
  if (known.some(([, value]) => typeof value === 'object')) return null;
  const made = Object.fromEntries(known) as Args;
  return typeof made['title'] === 'string' && made['title'].trim() ? made : null;
}
