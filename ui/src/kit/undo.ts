import { faultOf, host, type ApplyReply, type Id } from '../host';
import { router } from './router.svelte';
import { t } from './strings';
import { toasts } from './toast.svelte';

/** Runs the recorded inverse of one effect and says what came of it. */
export async function undoEffect(id: Id): Promise<void> {
  await tell(host.call('undo', { id }));
}

/** Ctrl Z outside text fields: the last effect, or a held send. */
export async function undoLast(): Promise<void> {
  await tell(host.call('undo_last', {}));
}

async function tell(running: Promise<ApplyReply>): Promise<void> {
  try {
    const reply = await running;
    if (reply.outcome === 'done') toasts.show(reply.receipt.what);
    else if (reply.outcome === 'failed') toasts.show(`${reply.error.message} ${reply.error.hint}`);
    else
      toasts.show(t('undo.needs_card'), {
        label: t('nav.approvals'),
        run: () => router.go('approvals', reply.id),
      });
  } catch (thrown) {
    const fault = faultOf(thrown);
    toasts.show(`${fault.message} ${fault.hint}`.trim());
  }
}
