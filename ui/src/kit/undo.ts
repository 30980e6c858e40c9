import { faultOf, host, show, type ActivityRow, type Id } from '../host';
import { turnEnd } from './follow';
import { proofs } from './proofs';
import { router } from './router.svelte';
import { reportLine } from './report-text';
import { t } from './strings';
import { toasts } from './toast.svelte';

/** How many effects Ctrl Z searches for one that can be undone. */
const LOOK_BACK_MAX = 50;

/** Whether an effect, or what remains of it, can be undone. */
export function canUndo(undo: ActivityRow['undo'] | undefined): boolean {
  return undo === 'available' || undo === 'partly';
}

/** Runs the recorded inverse of an effect and reports the result. */
export async function undoEffect(id: Id): Promise<void> {
  try {
    const end = await turnEnd(await host.call('undo', { id }));
    if (end?.event === 'waiting' && end.approvals[0] !== undefined) {
      const waits = end.approvals[0];
      toasts.show(t('undo.needs_card'), { label: t('nav.approvals'), run: () => router.go('approvals', waits) });
    } else if (end?.event === 'done') {
      toasts.show(await undoneText(id, reportLine(end.answer)));
    }
  } catch (thrown) {
    const fault = faultOf(thrown);
    toasts.show(`${fault.message} ${fault.hint}`.trim());
  }
}

/**
 * Names just what was restored: the previous toast, or the row with the button, already said what was done. Undoing an
 * undo repeats the original effect, and says so.
 */
async function undoneText(id: Id, said: string): Promise<string> {
  const row = (await show(host, 'activity', { id }).catch(() => []))[0];
  if (row?.tool === 'undo') return said || t('undo.done');
  const names = new Set(proofs(row?.receipt ?? null).flatMap(({ label }) => label || []));
  const [name] = names;
  if (name === undefined) return t('undo.done');
  return names.size === 1 ? t('undo.done_name', { name }) : t('undo.done_many', { n: names.size });
}

/** Takes back a held action before it is carried out. */
async function takeBack(id: Id): Promise<void> {
  const { outcome } = await host.call('outbox', { id, act: 'to_draft' });
  if (outcome.state === 'done') toasts.show(outcome.say);
  else if (outcome.state === 'failed') toasts.show(`${outcome.fault.message} ${outcome.fault.hint}`.trim());
}

/** Ctrl Z outside text fields: takes back the held action or undoes the last undoable effect, whichever is newer. */
export async function undoLast(): Promise<void> {
  try {
    const [rows, outbox] = await Promise.all([
      show(host, 'activity', { limit: LOOK_BACK_MAX }),
      show(host, 'outbox', { limit: LOOK_BACK_MAX }),
    ]);
    const last = rows
      .filter((row) => canUndo(row.undo) && row.tool !== 'undo')
      .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))[0];
    const held = outbox
      .filter((row) => row.waits?.why === 'hold')
      .sort((a, b) => Date.parse(b.updated) - Date.parse(a.updated))[0];
    if (held && (!last || Date.parse(held.updated) >= Date.parse(last.at))) await takeBack(held.id);
    else if (last) await undoEffect(last.id);
    else toasts.show(t('undo.nothing'));
  } catch (thrown) {
    toasts.show(faultOf(thrown).message);
  }
}
