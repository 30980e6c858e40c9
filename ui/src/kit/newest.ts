/**
 * Pairs replies with requests for one thing: only the newest request may say what is shown. A reply that was overtaken, by
 * a later request or by what is known meanwhile, is dropped by whoever asked for it.
 */
export class Newest {
  #generation = 0;

  /** Begins a request. What it returns says whether the request is still the newest, each time its reply is about to be used. */
  begin(): () => boolean {
    const mine = ++this.#generation;
    return () => mine === this.#generation;
  }

  /** Something newer is known: replies that are on their way are older than that. */
  overtake(): void {
    this.#generation += 1;
  }
}
