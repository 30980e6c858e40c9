import type { Id } from '../host';

/** A stored row, as a search result describes it. */
export interface Kept {
  topic: string;
  id: Id;
  title: string;
}

const RECENT_MAX = 5;

/** The rows last opened from the palette, newest first; kept only in this window's memory. */
class Recent {
  #opened: Kept[] = [];

  all(): readonly Kept[] {
    return this.#opened;
  }

  add({ topic, id, title }: Kept): void {
    const others = this.#opened.filter((one) => one.topic !== topic || one.id !== id);
    this.#opened = [{ topic, id, title }, ...others].slice(0, RECENT_MAX);
  }

  /** Called after everything was erased. */
  forget(): void {
    this.#opened = [];
  }
}

export const recent = new Recent();
