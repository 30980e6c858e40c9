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

  show(text: string, action?: Toast['action']): void {
    // The bar over every surface says it already, and stays.
    if (!action && storage.fault && text.startsWith(storage.fault.message)) {
      announce.alert(text);
      return;
    }
    this.current = { id: this.#next++, text, action };
  }

  close(id: number): void {
    if (this.current?.id === id) this.current = null;
  }
}

export const toasts = new Toasts();
