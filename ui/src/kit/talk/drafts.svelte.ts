import type { Id } from '../../host';

/** The maximum number of conversations with kept drafts; the oldest draft is dropped first. */
const DRAFTS_MAX = 100;
/** The key of a new conversation, which has no id yet. */
const UNBORN = '';

/** Unsent text per conversation, kept until it is sent or the window closes. */
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

  /** Called after everything was erased. */
  forget(): void {
    this.#texts = new Map();
  }

  /** Restores words that could not be sent, before anything written since. */
  giveBack(conversation: Id | null, text: string): void {
    const since = this.of(conversation);
    this.set(conversation, since === '' ? text : `${text}\n\n${since}`);
  }

  /** Moves unsent text to another conversation, unless that one already has some. */
  move(from: Id | null, to: Id | null): void {
    const text = this.of(from);
    if (text === '' || this.of(to) !== '') return;
    this.set(from, '');
    this.set(to, text);
  }
}

export const drafts = new Drafts();
