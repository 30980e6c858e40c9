import { untrack } from 'svelte';
import { clock } from './clock.svelte';

/** Between two spoken statuses, so that a busy turn does not talk over the answer. */
const STATUS_GAP_MS = 5000;
/** How many past sentences stay in the region; screen readers read additions only. */
const KEPT_MAX = 20;
/** What was said once is remembered so many keys long: more than can wait at a time. */
const ONCE_MAX = 1_000;

interface Said {
  id: number;
  text: string;
}

/**
 * What the two live regions hold. The shell draws them; everything else calls `announce`. Whoever says something does not
 * hear it: an effect that speaks must not run again because something was said.
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

  /** Interrupts; with a `key`, only the first time it is given. */
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

  /** After everything was erased: what was said stood in the page until now. */
  forget(): void {
    this.polite = [];
    this.assertive = [];
  }

  /** A status, at most one every five seconds; those in between are dropped because the next is truer. */
  status(text: string): void {
    const now = clock.mono();
    if (now - this.#statusAt < STATUS_GAP_MS) return;
    this.#statusAt = now;
    this.say(text);
  }
}

export const announce = new Announcer();

/** Splits streamed text: whole sentences that can be said now, and the rest to keep. */
export function wholeSentences(text: string): { said: string; rest: string } {
  const end = /^[\s\S]*[.!?…:](?=\s|$)|^[\s\S]*\n/.exec(text);
  return end ? { said: end[0].trim(), rest: text.slice(end[0].length) } : { said: '', rest: text };
}
