import type { Approval, Id } from '../../host';
import { t } from '../../kit/strings';
import type { TurnView } from '../../kit/talk/view';
import { countWord } from '../../kit/time';

/** Maximum number of lines of a card that a typed “yes” approves, as in the engine. */
const ITEMS_BY_WORD_MAX = 8;

/**
 * What a typed “yes” would do right now, in words. It approves only when exactly one action waits and that is the last
 * thing shown here; the engine applies the same rule.
 */
export function yesHint(waiting: Approval[], last: TurnView | undefined, conversation: Id | null): string | null {
  // Without a question in this conversation, a “yes” means nothing.
  const [only] = waiting;
  if (!only || !waiting.some((one) => one.conversation === conversation)) return null;
  if (waiting.length === 1 && only.shown.items.length > ITEMS_BY_WORD_MAX) return t('chat.yes_long');
  if (waiting.length > 1) return t('chat.yes_many', { count: countWord(waiting.length) });
  const shownLast =
    only.conversation === conversation && last?.state === 'waiting' && last.approvals.at(-1) === only.id;
  return shownLast && last.questions.length === 0
    ? t('chat.yes_one', { title: only.shown.title })
    : t('chat.yes_one_elsewhere');
}
