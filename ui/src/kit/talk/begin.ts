import { router } from '../router.svelte';
import { drafts } from './drafts.svelte';

/**
 * Puts words into the message field of a new conversation for the person to finish, after anything already written
 * there.
 */
export function begin(words: string): void {
  const before = drafts.of(null);
  drafts.set(null, before.trim() === '' ? words : `${before}\n\n${words}`);
  router.go('chat', 'new');
}
