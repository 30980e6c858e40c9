import { SvelteSet } from 'svelte/reactivity';

/** Several rows of a list at once, by their keys: what was picked one by one, or as a stretch from the last one. */
export class Selection {
  #keys = new SvelteSet<string>();
  /** Where a stretch begins. */
  #anchor: string | null = null;

  get size(): number {
    return this.#keys.size;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Those of these rows that are picked, in the order of the rows. */
  among<T>(rows: readonly T[], key: (row: T) => string): T[] {
    return rows.filter((row) => this.#keys.has(key(row)));
  }

  /** Picks a row, or lets it go; from there the next stretch begins. */
  toggle(key: string): void {
    if (!this.#keys.delete(key)) this.#keys.add(key);
    this.#anchor = key;
  }

  /** Picks the stretch from the anchor, or from a row that stands for it, to another row; only that is picked then. */
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

  /** Lets go of what is not among these any more. */
  keep(order: ReadonlySet<string>): void {
    for (const key of [...this.#keys]) if (!order.has(key)) this.#keys.delete(key);
  }
}
