import { router } from '../router.svelte';
import { drafts } from './drafts.svelte';

/** Words that the person finishes in a new conversation; what is written there already stays, before them. */
export function begin(words: string): void {
  const before = drafts.of(null);
  drafts.set(null, before.trim() === '' ? words : `${before}\n\n${words}`);
  router.go('chat', 'new');
}
