import { talk } from '../../kit/talk/conversation.svelte';
import type { Tier } from '../../kit/tiers';
import { drafts } from '../../kit/talk/drafts.svelte';
import type { Afford, Large } from './afford';

/** Sends a message: at once or, if it is expensive, after the person has agreed to the cost. */
export class Sending {
  /** An expensive message until the person agrees; its text has left the composer. */
  costly = $state.raw<{ to: string | null; words: string; tier: Tier | null; large: Large } | null>(null);
  /** The tier the person chose for the next message; it holds for that message only. */
  tier = $state<Tier | null>(null);
  /** Loaded with the first message, so that it does not slow the start. */
  #afford: Promise<Afford> | null = null;
  #unfollow: (() => void) | null = null;
  #here = true;

  async send(words: string): Promise<void> {
    const to = talk.id;
    const { tier } = this;
    // An answer to a waiting turn, such as “yes”, is not planned again, so it needs no estimate.
    if (talk.last?.state === 'waiting') return this.#go(words, tier);
    // It is shown at once, not when its price is known.
    const ended = talk.early(words);
    const large = await this.#largeOf(to, words, tier);
    // The text goes back to its draft if the person stopped it, another message awaits agreement, the person has changed
    // the conversation, or the question about the cost can no longer appear.
    if (!ended() || this.costly || talk.id !== to || (large && !this.#here)) drafts.giveBack(to, words);
    else if (large) this.costly = { to, words, tier, large };
    else this.#go(words, tier);
  }

  agree(): void {
    const asked = this.costly;
    this.costly = null;
    if (!asked) return;
    void this.#afford?.then((one) => one.agree(asked.large));
    if (talk.id === asked.to) this.#go(asked.words, asked.tier);
    else drafts.giveBack(asked.to, asked.words);
  }

  #go(words: string, tier: Tier | null): void {
    if (this.tier === tier) this.tier = null;
    void talk.send(words, tier);
  }

  /** The person declines; the text goes back to the draft it came from. */
  leave(): void {
    const asked = this.costly;
    this.costly = null;
    if (asked) drafts.giveBack(asked.to, asked.words);
  }

  /** The component goes away; an unsent text goes back to its draft. */
  leaveForGood(): void {
    this.#here = false;
    this.#unfollow?.();
    if (this.costly) drafts.giveBack(this.costly.to, this.costly.words);
  }

  async #load(): Promise<Afford> {
    const made = new (await import('./afford')).Afford();
    if (this.#here) this.#unfollow = made.follow();
    return made;
  }

  async #largeOf(to: string | null, words: string, tier: Tier | null): Promise<Large | null> {
    try {
      return await (await (this.#afford ??= this.#load())).large(to, words, tier);
    } catch {
      // The message is sent without an estimate; the limits hold.
      this.#afford = null;
      return null;
    }
  }
}
