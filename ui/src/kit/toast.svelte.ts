import { announce } from './announce.svelte';
import { storage } from './storage.svelte';

/** How long a toast stays when nobody is on it. */
export const TOAST_MS = 8000;

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void } | undefined;
}

/** One at a time; never for anything that needs an answer. */
class Toasts {
  current = $state<Toast | null>(null);
  #next = 0;
  /** What came by itself, and must not take the place of what the person did. */
  #waiting: Toast[] = [];

  show(text: string, action?: Toast['action']): void {
    // The bar over every surface says it already, and stays.
    if (!action && storage.fault && text.startsWith(storage.fault.message)) {
      announce.alert(text);
      return;
    }
    this.current = { id: this.#next++, text, action };
  }

  /** Shown once nothing else is: for what happens by itself. */
  queue(text: string, action?: Toast['action']): void {
    if (this.current === null) this.show(text, action);
    else this.#waiting.push({ id: this.#next++, text, action });
  }

  forget(): void {
    this.#waiting = [];
    this.current = null;
  }

  close(id: number): void {
    if (this.current?.id === id) this.current = this.#waiting.shift() ?? null;
  }
}

export const toasts = new Toasts();
