import type { Conversation } from '../../kit/talk/conversation.svelte';

/** Whether a turn began with a request. Text sent while an earlier turn waited may have been an answer instead. */
export function isMessage({ exchanges }: Conversation, index: number): boolean {
  return !!exchanges[index]?.turn.text && exchanges[index - 1]?.turn.state !== 'waiting';
}
