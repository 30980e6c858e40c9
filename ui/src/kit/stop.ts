import { faultOf, host, show, type OutboxRow } from '../host';
import { t } from './strings';
import { talk } from './talk/conversation.svelte';
import { toasts } from './toast.svelte';

/** Names in one message; more are counted. */
const NAMED_MAX = 3;

/** What is approved and waits for its time or for a connection. */
async function waiting(): Promise<OutboxRow[]> {
  return (await show(host, 'outbox')).filter((one) => one.waits !== undefined);
}

/** Stops everything but what is already done, and says what of it the window knows: what waited and waits no longer, the answer. */
export async function stopEverything(): Promise<void> {
  try {
    // What cannot be named is stopped all the same.
    const before = await waiting().catch(() => []);
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
