import { SvelteSet } from 'svelte/reactivity';
import { faultOf, host, type Applied, type Fault, type Id, type JsonValue } from '../host';
import { frame } from './frame.svelte';
import { t } from './strings';
import { toasts } from './toast.svelte';
import { undoEffect } from './undo';

type Done = Extract<Applied, { state: 'done' }>;

/**
 * Something done directly on a surface. It passes the gate like everything else: done gives a toast with Undo, what must
 * be asked opens its card in place, a refusal is said with what to do next. Resolves to what was done, or null when it was not.
 */
export function act(tool: string, args: Record<string, JsonValue>, options: Options = {}): Promise<Done | null> {
  return once(keyOf(tool, args), () => applied(() => host.call('apply', { tool, args }), options));
}

const keyOf = (tool: string, args: Record<string, JsonValue>) => `${tool} ${JSON.stringify(args)}`;

/** A button shows that it is at work only when that takes longer than a moment. */
const BUSY_AFTER_MS = 300;
const pending = new Map<string, Promise<unknown>>();
const busy = new SvelteSet<string>();

/** Does something, unless the very same is being done: a second press joins the first and learns what became of it. */
export function once<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = pending.get(key);
  if (before) return before as Promise<T>;
  const timer = setTimeout(() => busy.add(key), BUSY_AFTER_MS);
  const made = work().finally(() => {
    clearTimeout(timer);
    busy.delete(key);
    pending.delete(key);
  });
  pending.set(key, made);
  return made;
}

/** Whether this is being done, and for so long that its button says so. */
export const isBusy = (tool: string, args: Record<string, JsonValue>): boolean => busy.has(keyOf(tool, args));

/**
 * For a button after which something else may stand in the same place: the second click of a double click is not meant
 * for that.
 */
export const single =
  (run: () => void) =>
  (event: MouseEvent): void => {
    if (event.detail < 2) run();
  };

interface Options {
  /** No toast when it worked: the surface shows it itself. */
  quiet?: boolean;
  /** Instead of a toast when it did not work. */
  onfault?: (fault: Fault) => void;
  /** Its card is open: the action that waits. */
  onasked?: (id: Id) => void;
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
      frame.decide = outcome.id;
      options.onasked?.(outcome.id);
      return null;
    case 'question':
      return failed({ code: 'question', message: outcome.text, hint: '' });
    case 'failed':
      return failed(outcome.fault);
  }
}
