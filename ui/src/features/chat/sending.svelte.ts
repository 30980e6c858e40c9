import { talk } from '../../kit/talk/conversation.svelte';
import type { Tier } from '../../kit/tiers';
import { drafts } from '../../kit/talk/drafts.svelte';
import type { Afford, Large } from './afford';

/** A message on its way out of its field: at once, or after what it could cost was agreed to. */
export class Sending {
  /** A message that could cost a lot, until it is agreed to; its words are out of the message field. */
  costly = $state.raw<{ to: string | null; words: string; tier: Tier | null; large: Large } | null>(null);
  /** How capable a model the person chose for the next message; it holds for that one only. */
  tier = $state<Tier | null>(null);
  /** Loaded when the first message is sent: a start has nothing to do with it. */
  #afford: Promise<Afford> | null = null;
  #unfollow: (() => void) | null = null;
  #here = true;

  async send(words: string): Promise<void> {
    const to = talk.id;
    const { tier } = this;
    // A reply to what waits, such as a yes, is read and not planned anew.
    const large = talk.last?.state === 'waiting' ? null : await this.#largeOf(to, words, tier);
    // What is asked about, and what was written where one is not any more, is not sent unseen.
    if (this.costly || talk.id !== to || (large && !this.#here)) drafts.giveBack(to, words);
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

  /** It is not sent; its words go back where they were written. */
  leave(): void {
    const asked = this.costly;
    this.costly = null;
    if (asked) drafts.giveBack(asked.to, asked.words);
  }

  /** The conversation is left: whoever was led elsewhere meanwhile finds the words again. */
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
      // The message goes without; the limits hold.
      this.#afford = null;
      return null;
    }
  }
}
