import { host, show, type EventRow, type JsonValue, type MailRow, type TaskRow } from '../../host';
import { clock } from '../../kit/clock.svelte';
import { addDays } from '../../kit/moment';
import { t } from '../../kit/strings';
import { dayOf, millis } from '../../kit/time';

/** How many rows each suggestion looks at. */
const LOOK_AT_MAX = 20;
const DAYS_AHEAD = 7;
/**
 * The text of a record that may appear in a suggestion, which is sent as if the person had typed it: letters, digits
 * and spaces, short enough for a chip. Text from files and mails never forms a sentence.
 */
const PLAIN = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} '’-]{1,29}$/u;

const isPlain = (text: string): boolean => PLAIN.test(text);

/** A question about the next event. */
function nextEvent(events: readonly EventRow[]): string | null {
  const now = clock.now();
  const next = events.filter((one) => millis(one.start) > now && isPlain(one.summary));
  next.sort((a, b) => millis(a.start) - millis(b.start));
  return next[0] ? t('chat.try_event', { what: next[0].summary }) : null;
}

/** The sender of the newest unread mail from a person. */
function newestWriter(mails: readonly MailRow[]): string | null {
  const found = mails.find((one) => one.writer === 'person' && isPlain(one.from_name));
  return found ? t('chat.try_mail', { who: found.from_name }) : null;
}

/** A task that is past its due day. */
function late(tasks: readonly TaskRow[]): string | null {
  const today = dayOf(clock.now());
  const found = tasks.find((one) => one.due !== null && one.due.slice(0, today.length) < today && isPlain(one.title));
  return found ? t('chat.try_task', { what: found.title }) : null;
}

/** The tools of the plan the engine reads from a line; null when it reads no plan. */
async function toolsOf(text: string): Promise<JsonValue[] | null> {
  const { reading } = await host.call('explain', { conversation: 'direct', text });
  if (reading.reading !== 'plan') return null;
  return reading.steps.map((step) =>
    step !== null && typeof step === 'object' && 'tool' in step ? (step['tool'] ?? null) : null,
  );
}

/** A suggestion is kept only if the engine plans just these tools for it. */
async function read(text: string | null, meant: RegExp): Promise<string[]> {
  if (text === null) return [];
  const tools = await toolsOf(text);
  const all = tools !== null && tools.length > 0 && tools.every((tool) => typeof tool === 'string' && meant.test(tool));
  return all ? [text] : [];
}

/** Suggestions about the person's own records: the next event, a sender, a late task. Empty without records. */
export async function ownTries(): Promise<string[]> {
  const today = dayOf(clock.now());
  const [events, mails, tasks] = await Promise.all([
    show(host, 'events', { from: today, to: addDays(today, DAYS_AHEAD), limit: LOOK_AT_MAX }),
    show(host, 'mail', { limit: LOOK_AT_MAX, only: { folder: 'inbox', unread: true } }),
    show(host, 'tasks', { limit: LOOK_AT_MAX, only: { done: false } }),
  ]);
  const all = await Promise.all([
    read(nextEvent(events), /^calendar\.(find|list|read)$/),
    read(newestWriter(mails), /^email\.(find|list|search|read|thread)$/),
    read(late(tasks), /^task\.(find|list|update)$/),
  ]);
  return all.flat();
}
