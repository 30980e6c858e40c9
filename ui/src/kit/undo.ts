import { faultOf, host, show, type Id } from '../host';
import { turnEnd } from './follow';
import { router } from './router.svelte';
import { t } from './strings';
import { toasts } from './toast.svelte';

/** How far back Ctrl Z looks for an effect with a way back. */
const LOOK_BACK_MAX = 50;

/** Runs the recorded inverse of one effect and says what came of it. */
export async function undoEffect(id: Id): Promise<void> {
  try {
    const end = await turnEnd(await host.call('undo', { id }));
    if (end?.event === 'waiting' && end.approvals[0] !== undefined) {
      const waits = end.approvals[0];
      toasts.show(t('undo.needs_card'), { label: t('nav.approvals'), run: () => router.go('approvals', waits) });
    } else if (end?.event === 'done') {
      toasts.show(end.answer || t('undo.done'));
    }
  } catch (thrown) {
    const fault = faultOf(thrown);
    toasts.show(`${fault.message} ${fault.hint}`.trim());
  }
}

/** Ctrl Z outside text fields: the last effect that can still be taken back. */
export async function undoLast(): Promise<void> {
  try {
    const rows = await show(host, 'activity', { limit: LOOK_BACK_MAX });
    const last = rows
      .filter((row) => row.undo === 'available' && row.tool !== 'undo')
      .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))[0];
    if (last) await undoEffect(last.id);
    else toasts.show(t('undo.nothing'));
  } catch (thrown) {
    toasts.show(faultOf(thrown).message);
  }
}
