import { faultOf, host, show, type OutboxRow } from '../host';
import { live } from './live.svelte';
import { t } from './strings';
import { talk } from './talk/conversation.svelte';
import { toasts } from './toast.svelte';

/** Maximum number of names in one message; it counts the rest. */
const NAMED_MAX = 3;

/** Approved actions that wait for their time or for a connection. */
async function waiting(): Promise<OutboxRow[]> {
  return (await show(host, 'outbox')).filter((one) => one.waits !== undefined);
}

/**
 * Stops everything that is not done yet, and names in a toast what it stopped: the answer being written, and approved
 * actions that no longer wait.
 */
export async function stopEverything(): Promise<void> {
  try {
    // Names come from what the window knows already: nothing is asked for before stopping.
    const before = live.outbox.filter((one) => one.waits !== undefined);
    const answering = talk.running;
    await host.call('interrupt', { turn: null, conversation: null });
    const left = before.length === 0 ? [] : await waiting().catch(() => before);
    const still = new Set(left.map((one) => one.id));
    const names = before.filter((one) => !still.has(one.id)).map((one) => `“${one.subject}”`);
    const more = names.length - NAMED_MAX;
    const said = [
      ...(answering ? [t('stop.answer')] : []),
      ...names.slice(0, NAMED_MAX),
      ...(more > 0 ? [t('stop.more', { n: more })] : []),
    ];
    toasts.show(said.length === 0 ? t('stop.all_done') : t('stop.these', { what: said.join(', ') }));
  } catch (thrown) {
    toasts.show(faultOf(thrown).message);
  }
}
