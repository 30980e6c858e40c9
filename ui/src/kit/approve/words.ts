import type { Card } from '../../host';
import { t } from '../strings';

/** A title longer than this does not fit a button. */
const TITLE_CHARS_MAX = 36;

const inside = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);

/** The text of the approve button; for several items it counts them, as in "delete 4 tasks". */
export function approveWords({ title, verb, items }: Card): string {
  const n = items.length;
  if (n < 2) return t('ask.approve', { verb: inside(verb) });
  const says = title.startsWith(`${verb} ${n} `) && title.length <= TITLE_CHARS_MAX;
  return says ? t('ask.approve_title', { title: inside(title) }) : t('ask.approve_batch', { verb: inside(verb), n });
}
