import type { Id, TurnEvent } from '../../host';
import { clock } from '../clock.svelte';

/** How long a model thought before its first word, for each turn where the window saw it. */
export class Thought {
  #ms = $state.raw<ReadonlyMap<Id, number>>(new Map());
  #since: { turn: Id; at: number } | null = null;

  /** Duration in milliseconds; null if the window did not see it. */
  of(turn: Id): number | null {
    return this.#ms.get(turn) ?? null;
  }

  /** Measures from the first thought to the next word. */
  see(event: TurnEvent): void {
    if (event.event === 'thinking') this.#since ??= { turn: event.turn, at: clock.mono() };
    else if (this.#since !== null) {
      const { turn, at } = this.#since;
      this.#since = null;
      if (turn === event.turn && event.event === 'token') this.#ms = new Map(this.#ms).set(turn, clock.mono() - at);
    }
  }

  forget(): void {
    this.#ms = new Map();
  }
}
