import { SvelteSet } from 'svelte/reactivity';
import { faultOf, host, type Applied, type Fault, type Id, type JsonValue } from '../host';
import { frame } from './frame.svelte';
import { t } from './strings';
import { toasts } from './toast.svelte';
import { undoEffect } from './undo';

type Done = Extract<Applied, { state: 'done' }>;

/**
 * Runs a tool directly from a surface. The call passes the gate like any other: a success shows a toast with Undo, an
 * action that needs approval opens its card in place, and a failure shows its message and hint. Resolves to the result,
 * or to null if the tool did not run.
 */
export function act(tool: string, args: Record<string, JsonValue>, options: Options = {}): Promise<Done | null> {
  return once(keyOf(tool, args), () => applied(() => host.call('apply', { tool, args }), options));
}

const keyOf = (tool: string, args: Record<string, JsonValue>) => `${tool} ${JSON.stringify(args)}`;

/** A button shows that it is busy only after this long. */
const BUSY_AFTER_MS = 300;
const pending = new Map<string, Promise<unknown>>();
const busy = new SvelteSet<string>();

/** Runs `work`, unless work with the same key is running: a second press then gets the result of the first. */
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

/** Whether this call has been running long enough for its button to show it. */
export const isBusy = (tool: string, args: Record<string, JsonValue>): boolean => busy.has(keyOf(tool, args));

/**
 * Wraps the handler of a button that another control may replace after the press: ignores the second click of a double
 * click, which was not meant for that control.
 */
export const single =
  (run: (event: MouseEvent) => void) =>
  (event: MouseEvent): void => {
    if (event.detail < 2) run(event);
  };

interface Options {
  /** Shows no toast on success, because the surface shows the result itself. */
  quiet?: boolean;
  /** Called on failure, instead of a toast. */
  onfault?: (fault: Fault) => void;
  /** Called with the id of the waiting action when its card opens. */
  onasked?: (id: Id) => void;
}

/** Runs any request that replies with an outcome, and reports the outcome like `act`. */
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
