/**
 * Pairs replies with requests for the same data: only the reply to the newest request may be shown. Callers drop a
 * reply once a later request or newer data has overtaken it.
 */
export class Newest {
  #generation = 0;

  /**
   * Begins a request. The returned function tells whether it is still the newest; call it before each use of the reply.
   */
  begin(): () => boolean {
    const mine = ++this.#generation;
    return () => mine === this.#generation;
  }

  /** Marks pending replies as outdated, because newer data is known. */
  overtake(): void {
    this.#generation += 1;
  }
}
