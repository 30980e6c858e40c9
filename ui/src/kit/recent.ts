import type { Id } from '../host';

/** Something kept here, as a search names it. */
export interface Kept {
  topic: string;
  id: Id;
  title: string;
}

const RECENT_MAX = 5;

/** What was opened from the palette last, newest first; in this window's memory only. */
class Recent {
  #opened: Kept[] = [];

  all(): readonly Kept[] {
    return this.#opened;
  }

  add({ topic, id, title }: Kept): void {
    const others = this.#opened.filter((one) => one.topic !== topic || one.id !== id);
    this.#opened = [{ topic, id, title }, ...others].slice(0, RECENT_MAX);
  }

  /** After everything was erased. */
  forget(): void {
    this.#opened = [];
  }
}

export const recent = new Recent();
