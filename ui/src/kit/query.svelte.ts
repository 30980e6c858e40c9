import { onMount, untrack } from 'svelte';
import { faultOf, type Fault } from '../host';
import { onChanged, type Kind } from './changes';
import { Newest } from './newest';

/** Nothing is drawn for this long; only then the grey bars. */
const QUIET_MS = 300;

/** Data a surface shows, kept fresh. Draw `error` before `data`, `data` before `slow`. */
export class Query<T> {
  data = $state.raw<T | undefined>(undefined);
  error = $state.raw<Fault | null>(null);
  /** The first answer is taking longer than a moment. */
  slow = $state(false);
  #load: () => Promise<T>;
  #newest = new Newest();

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** What a change answered with: newer than anything still on its way. */
  set(data: T): void {
    this.#newest.overtake();
    this.data = data;
    this.error = null;
    this.slow = false;
  }

  /** Loads again; an older answer that arrives late is dropped. What was shown stays until the new one is here. */
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
 * For a component: loads on start, again when something `load` reads synchronously changes, and again when the engine
 * says one of `kinds` changed.
 */
export function query<T>(kinds: Kind[], load: () => Promise<T>): Query<T> {
  const made = new Query(load);
  $effect(() => {
    // Reading inside the effect is what makes a changed filter load again.
    void made.reload();
  });
  onMount(() => onChanged(kinds, () => untrack(() => void made.reload())));
  return made;
}
