import type { Id } from '../../host';

/** Conversations whose unsent words are kept; the one written in longest ago goes first. */
const DRAFTS_MAX = 100;
/** A conversation that has not begun has no id yet. */
const UNBORN = '';

/** What was written and not sent, each in its own conversation, until it is sent or the window closes. */
class Drafts {
  #texts = $state.raw<ReadonlyMap<Id, string>>(new Map());

  of(conversation: Id | null): string {
    return this.#texts.get(conversation ?? UNBORN) ?? '';
  }

  set(conversation: Id | null, text: string): void {
    const key = conversation ?? UNBORN;
    const next = new Map(this.#texts);
    next.delete(key);
    if (text !== '') next.set(key, text);
    const [oldest] = next.keys();
    if (next.size > DRAFTS_MAX && oldest !== undefined) next.delete(oldest);
    this.#texts = next;
  }

  /** After everything was erased. */
  forget(): void {
    this.#texts = new Map();
  }

  /** Words that could not be sent, before whatever was written since. */
  giveBack(conversation: Id | null, text: string): void {
    const since = this.of(conversation);
    this.set(conversation, since === '' ? text : `${text}\n\n${since}`);
  }

  /** What was begun in one conversation goes on in another, where nothing is written yet. */
  move(from: Id | null, to: Id | null): void {
    const text = this.of(from);
    if (text === '' || this.of(to) !== '') return;
    this.set(from, '');
    this.set(to, text);
  }
}

export const drafts = new Drafts();
