import { onMount, untrack } from 'svelte';
import { faultOf, type Fault } from '../host';
import { onChanged, type Kind } from './changes';
import { Newest } from './newest';

/** For this long nothing is drawn; after that, grey bars. */
const QUIET_MS = 300;

/** Data that a surface shows, kept up to date. Draw `error` before `data`, and `data` before `slow`. */
export class Query<T> {
  data = $state.raw<T | undefined>(undefined);
  error = $state.raw<Fault | null>(null);
  /** The first reply takes longer than a moment. */
  slow = $state(false);
  #load: () => Promise<T>;
  #newest = new Newest();

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Sets data from the reply to a change, which is newer than any pending reply. */
  set(data: T): void {
    this.#newest.overtake();
    this.data = data;
    this.error = null;
    this.slow = false;
  }

  /** Loads again; ignores an older reply that arrives late. The old data stays until the new data is here. */
  async reload(): Promise<void> {
    const current = this.#newest.begin();
    const timer = setTimeout(() => {
      if (current() && this.data === undefined) this.slow = true;
    }, QUIET_MS);
    try {
      const data = await this.#load();
      if (!current()) return;
      this.data = data;
      this.error = null;
    } catch (thrown) {
      if (!current()) return;
      this.error = faultOf(thrown);
    } finally {
      clearTimeout(timer);
      if (current()) this.slow = false;
    }
  }
}

/**
 * For a component: loads on start, when a value that `load` reads synchronously changes, and when the engine reports a
 * change of one of `kinds`.
 */
export function query<T>(kinds: Kind[], load: () => Promise<T>): Query<T> {
  const made = new Query(load);
  $effect(() => {
    // Calling it inside the effect tracks what `load` reads, so a changed filter reloads.
    void made.reload();
  });
  onMount(() => onChanged(kinds, () => untrack(() => void made.reload())));
  return made;
}
