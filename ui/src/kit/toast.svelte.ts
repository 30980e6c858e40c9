import { announce } from './announce.svelte';
import { reportLine } from './report-text';
import { storage } from './storage.svelte';

/** How long a toast stays without hover or focus. */
export const TOAST_MS = 8000;

export interface Toast {
  id: number;
  /** One line; the list of what was changed is in Activity. */
  text: string;
  action?: { label: string; run: () => void } | undefined;
}

/** Shows one toast at a time; never for anything that needs an answer. */
class Toasts {
  current = $state<Toast | null>(null);
  #next = 0;
  /** Toasts about background events, which must not replace one about the person's own action. */
  #waiting: Toast[] = [];

  show(text: string, action?: Toast['action']): void {
    // The storage bar above every surface already says it, and stays.
    if (!action && storage.fault && text.startsWith(storage.fault.message)) {
      announce.alert(text);
      return;
    }
    this.current = { id: this.#next++, text: reportLine(text), action };
  }

  /** Shows a toast once no other is visible: for background events. */
  queue(text: string, action?: Toast['action']): void {
    if (this.current === null) this.show(text, action);
    else this.#waiting.push({ id: this.#next++, text: reportLine(text), action });
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
