import { t, type PlainKey } from '../../kit/strings';
import '../../kit/strings/en/trace';

/** Why a found item is not in a model's context; the keys are the engine's (`DropReason`). */
export const DROPS: Record<string, PlainKey> = {
  unimportant: 'drop.unimportant',
  over_budget: 'drop.over_budget',
  fields_left_out: 'drop.fields_left_out',
  shortened: 'drop.shortened',
  older: 'drop.older',
  summarised: 'drop.summarised',
  untrusted: 'drop.untrusted',
  irrelevant: 'drop.irrelevant',
};
const SECTIONS: Record<string, PlainKey> = {
  system: 'section.system',
  profile: 'section.profile',
  memories: 'section.memories',
  memory: 'section.memories',
  data: 'section.data',
  messages: 'section.messages',
  history: 'section.messages',
  tools: 'section.tools',
  calendar: 'section.calendar',
  files: 'section.files',
};
const TYPES: Record<string, PlainKey> = { chat: 'read.chat', action: 'read.action', followup: 'read.followup' };
const DOMAINS: Record<string, PlainKey> = {
  task: 'domain.task',
  calendar: 'domain.calendar',
  email: 'domain.email',
  note: 'domain.note',
  memory: 'domain.memory',
  files: 'domain.files',
  data: 'domain.data',
  calc: 'domain.calc',
  research: 'domain.research',
};

/** A word this window does not know is shown as the engine writes it. */
const worded = (known: Record<string, PlainKey>) => (word: string) => (known[word] ? t(known[word]) : word);

export const dropText = worded(DROPS);
export const sectionText = worded(SECTIONS);
const typeText = worded(TYPES);
const domainText = worded(DOMAINS);

/** `Something to do: calendar, mail` */
export function readText(type: string, domains: readonly string[]): string {
  const read = typeText(type);
  return domains.length === 0 ? read : t('read.about', { read, what: domains.map(domainText).join(', ') });
}

/** `91 %`, the way this window writes percentages. */
export function sureText(confidence: number): string {
  return t('read.percent', { n: Math.round(confidence * 100) });
}
