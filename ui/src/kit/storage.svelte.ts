import { onEnded, type Fault, type Op } from '../host';
import { announce } from './announce.svelte';

/** Faults that mean nothing can be stored: neither this change nor the next. */
const CODES = new Set(['disk_full', 'read_only']);
/** Requests that reply only after storing something; if one succeeds, the disk works. */
const STORES: ReadonlySet<Op> = new Set<Op>([
  'ask',
  'answer',
  'apply',
  'config_set',
  'rename_conversation',
  'pin_conversation',
  'archive_conversation',
  'import',
]);

/**
 * Whether changes can be stored. Known from the start for a read-only profile, otherwise inferred from the outcome of
 * requests.
 */
class Storage {
  fault = $state.raw<Fault | null>(null);

  watch(): () => void {
    return onEnded((op, fault) => {
      if (fault && CODES.has(fault.code)) this.told(fault);
      else if (!fault && STORES.has(op)) this.fault = null;
    });
  }

  /** Also called for turns, which may fail this way long after their request succeeded. */
  told(fault: Fault): void {
    if (!CODES.has(fault.code)) return;
    if (this.fault?.code !== fault.code) announce.alert(`${fault.message} ${fault.hint}`, fault.code);
    this.fault = fault;
  }
}

export const storage = new Storage();
