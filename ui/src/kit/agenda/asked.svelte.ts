import { untrack } from 'svelte';
import type { Id } from '../../host';
import { frame } from '../frame.svelte';
import { live } from '../live.svelte';

/**
 * The action that a form led to and that the person must approve. The form closes once that is done; after a rejection
 * or a failure it stays, with what was filled in.
 */
export class Asked {
  /** The id of the waiting action, or of the one that replaced it. */
  #id = $state<Id | null>(null);

  /** For use while a component starts. */
  constructor(ondone: () => void) {
    $effect(() => {
      const one = this.#id === null ? undefined : live.approval(this.#id);
      if (one?.superseded_by) this.#id = one.superseded_by;
      // Its card is closed first: it gives the focus back to the form, which gives it back to what opened it.
      else if (one && this.isGranted && frame.decide !== one.id) untrack(ondone);
    });
  }

  readonly onasked = (id: Id): void => {
    this.#id = id;
  };

  /** Whether the action still waits for the person's decision. */
  get isOpen(): boolean {
    return this.#id !== null && (live.approval(this.#id)?.state ?? 'pending') === 'pending';
  }

  /** Whether it was carried out as far as anyone knows, or is approved and waits for its time. */
  get isGranted(): boolean {
    const state = this.#id === null ? undefined : live.approval(this.#id)?.state;
    if (state === 'approved') return live.outbox.some((one) => one.id === this.#id);
    return state === 'succeeded' || state === 'unknown' || state === 'needs_person';
  }
}
