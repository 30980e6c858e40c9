import { faultOf, host, type Applied, type Fault, type JsonValue } from '../host';
import { router } from './router.svelte';
import { t } from './strings';
import { toasts } from './toast.svelte';
import { undoEffect } from './undo';

type Done = Extract<Applied, { state: 'done' }>;

/**
 * Something done directly on a surface. It passes the gate like everything else: done gives a toast with Undo, what must
 * be asked opens its card, a refusal is said with what to do next. Resolves to what was done, or null when it was not.
 */
export async function act(tool: string, args: Record<string, JsonValue>, options: Options = {}): Promise<Done | null> {
  return applied(() => host.call('apply', { tool, args }), options);
}

interface Options {
  /** No toast when it worked: the surface shows it itself. */
  quiet?: boolean;
  /** Instead of a toast when it did not work. */
  onfault?: (fault: Fault) => void;
}

/** The same for any request that answers with what became of it. */
export async function applied(ask: () => Promise<{ outcome: Applied }>, options: Options = {}): Promise<Done | null> {
  const failed = (fault: Fault) => {
    if (options.onfault) options.onfault(fault);
    else toasts.show(`${fault.message} ${fault.hint}`.trim());
    return null;
  };
  let outcome: Applied;
  try {
    ({ outcome } = await ask());
  } catch (thrown) {
    return failed(faultOf(thrown));
  }
  switch (outcome.state) {
    case 'done': {
      const { effect, say } = outcome;
      if (!options.quiet) {
        toasts.show(say, effect ? { label: t('common.undo'), run: () => void undoEffect(effect) } : undefined);
      }
      return outcome;
    }
    case 'approval_needed':
      router.go('approvals', outcome.id);
      return null;
    case 'question':
      return failed({ code: 'question', message: outcome.text, hint: '' });
    case 'failed':
      return failed(outcome.fault);
  }
}
