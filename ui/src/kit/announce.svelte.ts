import { untrack } from 'svelte';
import { clock } from './clock.svelte';

/** The minimum time between two spoken statuses, so that a busy turn does not talk over the answer. */
const STATUS_GAP_MS = 5000;
/** How many past sentences stay in the region; screen readers read only additions. */
const KEPT_MAX = 20;
/** How many keys of alerts to remember: more than can be waiting at a time. */
const ONCE_MAX = 1_000;

interface Said {
  id: number;
  text: string;
}

/**
 * The content of the two live regions. The shell renders them; everything else calls `announce`. Methods read their
 * state untracked, so that an effect that announces something does not run again because of it.
 */
class Announcer {
  polite = $state<Said[]>([]);
  assertive = $state<Said[]>([]);
  #next = 0;
  #statusAt = -STATUS_GAP_MS;
  #once = new Set<string>();

  say(text: string): void {
    this.polite = this.#with(
      untrack(() => this.polite),
      text,
    );
  }

  /** Interrupts the screen reader; with a `key`, only the first time. */
  alert(text: string, key?: string): void {
    if (key !== undefined) {
      if (this.#once.has(key)) return;
      this.#once.add(key);
      const [oldest] = this.#once;
      if (this.#once.size > ONCE_MAX && oldest !== undefined) this.#once.delete(oldest);
    }
    this.assertive = this.#with(
      untrack(() => this.assertive),
      text,
    );
  }

  #with(before: Said[], text: string): Said[] {
    return [...before, { id: this.#next++, text }].slice(-KEPT_MAX);
  }

  /** Called after everything was erased, because past sentences are still in the page. */
  forget(): void {
    this.polite = [];
    this.assertive = [];
  }

  /** Announces a status at most every five seconds; drops those in between, because the next one is more current. */
  status(text: string): void {
    const now = clock.mono();
    if (now - this.#statusAt < STATUS_GAP_MS) return;
    this.#statusAt = now;
    this.say(text);
  }
}

export const announce = new Announcer();

/** Splits streamed text into whole sentences to say now, and the rest to keep. */
export function wholeSentences(text: string): { said: string; rest: string } {
  const end = /^[\s\S]*[.!?…:](?=\s|$)|^[\s\S]*\n/.exec(text);
  return end ? { said: end[0].trim(), rest: text.slice(end[0].length) } : { said: '', rest: text };
}
