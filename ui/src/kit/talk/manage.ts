import { faultOf, host, type Id } from '../../host';
import { router } from '../router.svelte';
import { t } from '../strings';
import '../strings/en/conversations';
import { toasts } from '../toast.svelte';
import { talk } from './conversation.svelte';

/** Runs one request about a conversation; shows a toast if it fails. */
async function done(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (thrown) {
    const { message, hint } = faultOf(thrown);
    toasts.show(`${message} ${hint}`.trim());
    return false;
  }
}

export async function rename(id: Id, title: string): Promise<void> {
  await done(host.call('rename_conversation', { id, title }));
}

export async function pin(id: Id, on: boolean): Promise<void> {
  if (await done(host.call('pin_conversation', { id, on })))
    toasts.show(t(on ? 'conversations.pinned_now' : 'conversations.unpinned_now'));
}

/** Archives a conversation or lists it again, with Undo. */
export async function archive(id: Id, on: boolean): Promise<void> {
  if (!(await done(host.call('archive_conversation', { id, on })))) return;
  toasts.show(t(on ? 'conversations.archived_now' : 'conversations.listed_now'), {
    label: t('common.undo'),
    run: () => void archive(id, !on),
  });
}

/** Deletes a conversation, with an Undo that reopens it if it was shown. Its waiting actions are cancelled for good. */
export async function remove(id: Id): Promise<void> {
  if (!(await done(host.call('delete_conversation', { id })))) return;
  // The person may have left the conversation in the meantime.
  const shown = talk.id === id && router.route.surface === 'chat';
  if (shown) router.go('chat', 'new');
  toasts.show(t('chat.deleted'), { label: t('common.undo'), run: () => void restore(id, shown) });
}

async function restore(id: Id, shown: boolean): Promise<void> {
  if (!(await done(host.call('restore_conversation', { id })))) return;
  if (shown) router.go('chat', id);
  else toasts.show(t('conversations.restored'));
}
