import { onEnded, type Fault, type Op } from '../host';
import { announce } from './announce.svelte';

/** Nothing can be kept: not this change, and not the next one either. */
const CODES = new Set(['disk_full', 'read_only']);
/** What is answered only once it is stored; when one of these works, so does the disk. */
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

/** Whether changes can be kept. Known when the profile was opened for reading only, otherwise from how requests end. */
class Storage {
  fault = $state.raw<Fault | null>(null);

  watch(): () => void {
    return onEnded((op, fault) => {
      if (fault && CODES.has(fault.code)) this.told(fault);
      else if (!fault && STORES.has(op)) this.fault = null;
    });
  }

  /** A turn may fail this way as well, long after its request was answered. */
  told(fault: Fault): void {
    if (!CODES.has(fault.code)) return;
    if (this.fault?.code !== fault.code) announce.alert(`${fault.message} ${fault.hint}`, fault.code);
    this.fault = fault;
  }
}

export const storage = new Storage();
