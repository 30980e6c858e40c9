import { onMount, untrack } from 'svelte';
import { faultOf, type Fault } from '../host';
import { onChanged, type Kind } from './changes';
import { cachedResult, isFresh, keepResult } from './result-cache';
import { Newest } from './newest';
import { painted } from './painted';

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

  /** Sets data that is newer than any pending reply: the reply to a change, or a result kept from before. */
  set(data: T): void {
    this.close();
    this.data = data;
    this.error = null;
    this.slow = false;
  }

  /**
   * Loads again; ignores an older reply that arrives late. The old data stays until the new data is here. Returns
   * whether the new data is here.
   */
  async reload(): Promise<boolean> {
    const current = this.#newest.begin();
    const timer = setTimeout(() => {
      if (current() && this.data === undefined) this.slow = true;
    }, QUIET_MS);
    try {
      const data = await this.#load();
      if (!current()) return false;
      this.take(data);
      this.error = null;
      return true;
    } catch (thrown) {
      if (current()) this.error = faultOf(thrown);
      return false;
    } finally {
      clearTimeout(timer);
      if (current()) this.slow = false;
    }
  }

  protected take(data: T): void {
    this.data = data;
  }

  /** Ignores the replies that are still to come. */
  close(): void {
    this.#newest.overtake();
  }
}

/** A query whose result outlives its component. Replies are plain data. */
class KeptQuery<T> extends Query<T> {
  /** The same rows once more would draw the whole surface again. */
  protected override take(data: T): void {
    if (this.data === undefined || JSON.stringify(this.data) !== JSON.stringify(data)) this.data = data;
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

/**
 * A `query` whose result outlives the component: the next one that asks for the same key shows it in its first frame,
 * and asks the engine after that unless the result is fresh. The key names everything that `load` reads.
 */
export function cachedQuery<T>(kinds: Kind[], key: () => string, load: () => Promise<T>): Query<T> {
  const made = new KeptQuery(load);
  const kept = (key: string) => cachedResult(key) as T | undefined;
  /** The key of what is shown; none once the component is gone. */
  let shown: string | null = null;

  async function ask(key: string) {
    if (await made.reload()) keepResult(key, kinds, made.data);
  }
  async function askLater(key: string, data: T) {
    await painted();
    // Otherwise a change has asked in the meantime.
    if (shown === key && made.data === data) await ask(key);
  }

  const first = untrack(() => kept(key()));
  if (first !== undefined) made.set(first);
  $effect(() => {
    const wanted = key();
    shown = wanted;
    untrack(() => {
      const data = kept(wanted);
      if (data === undefined) return void ask(wanted);
      made.set(data);
      if (!isFresh(wanted)) void askLater(wanted, data);
    });
  });
  onMount(() => {
    const stop = onChanged(kinds, () => untrack(() => void ask(key())));
    return () => {
      stop();
      shown = null;
      made.close();
    };
  });
  return made;
}
