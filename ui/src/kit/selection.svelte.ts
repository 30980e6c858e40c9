import { SvelteSet } from 'svelte/reactivity';

/** A multiple selection of list rows, by key: picked one by one, or as a range from the anchor. */
export class Selection {
  #keys = new SvelteSet<string>();
  /** The row where a range begins. */
  #anchor: string | null = null;

  get size(): number {
    return this.#keys.size;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Those of these rows that are picked, in row order. */
  among<T>(rows: readonly T[], key: (row: T) => string): T[] {
    return rows.filter((row) => this.#keys.has(key(row)));
  }

  /** Toggles a row and makes it the anchor of the next range. */
  toggle(key: string): void {
    if (!this.#keys.delete(key)) this.#keys.add(key);
    this.#anchor = key;
  }

  /** Picks exactly the range from the anchor to `to`; `from` stands in if there is no anchor in the list. */
  stretch(order: readonly string[], from: string, to: string): void {
    const anchor = this.#anchor !== null && order.includes(this.#anchor) ? this.#anchor : from;
    const [a, b] = [order.indexOf(anchor), order.indexOf(to)];
    if (a < 0 || b < 0) return;
    this.#keys.clear();
    for (const key of order.slice(Math.min(a, b), Math.max(a, b) + 1)) this.#keys.add(key);
    this.#anchor = anchor;
  }

  all(order: readonly string[]): void {
    for (const key of order) this.#keys.add(key);
  }

  clear(): void {
    this.#keys.clear();
    this.#anchor = null;
  }

  /** Deselects rows that no longer exist. */
  keep(order: ReadonlySet<string>): void {
    for (const key of [...this.#keys]) if (!order.has(key)) this.#keys.delete(key);
  }
}
