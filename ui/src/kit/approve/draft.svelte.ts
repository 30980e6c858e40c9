import type { Card } from '../../host';

/** A card being edited: values by their pointer, until saved as a new card. */
export class Draft {
  values = $state<Record<string, string>>({});
  body = $state('');
  readonly #card: Card;

  constructor(card: Card) {
    this.#card = card;
    for (const fact of card.facts) if (fact.path) this.values[fact.path] = fact.value;
    this.body = card.body ?? '';
  }

  get changed(): boolean {
    return this.changes().length > 0;
  }

  isChanged(path: string): boolean {
    return this.#card.facts.some((fact) => fact.path === path && fact.value !== this.values[path]);
  }

  changes(): { path: string; value: string }[] {
    const changes = this.#card.facts.flatMap((fact) => {
      const value = fact.path ? this.values[fact.path] : undefined;
      return fact.path && value !== undefined && value !== fact.value ? [{ path: fact.path, value }] : [];
    });
    if (this.#card.body_path && this.body !== this.#card.body) {
      changes.push({ path: this.#card.body_path, value: this.body });
    }
    return changes;
  }
}
