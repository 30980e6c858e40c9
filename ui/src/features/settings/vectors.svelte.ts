import { host, type ConnectionDraft, type Estimate } from '../../host';

/** The cost is requested once the draft has not changed for this long. */
const STILL_MS = 300;
/** Connecting waits at most this long for the price: the limit of background work holds without it. */
const PATIENCE_MS = 300;

/** What vectors of all tools would cost with a new connection, shown before it is connected. */
export class Vectors {
  /** Null when it costs nothing, or while that is unknown. */
  estimate = $state.raw<Estimate | null>(null);
  #subject = '';
  #draft: ConnectionDraft | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The request for the current draft, once it was sent. */
  #asked: Promise<void> | null = null;

  /** Follows the draft; null while something in it is wrong. */
  about(draft: ConnectionDraft | null): void {
    const subject = draft?.embedding ? subjectOf(draft) : '';
    if (subject === this.#subject) return;
    this.leave();
    this.#subject = subject;
    this.#draft = subject ? draft : null;
    if (subject) this.#timer = setTimeout(() => void this.#ask(), STILL_MS);
  }

  /** Whether the person has seen the cost, or there is none. Requests it at once if needed. */
  async isTold(draft: ConnectionDraft): Promise<boolean> {
    this.about(draft);
    if (!this.#draft || this.estimate) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((done) => (timer = setTimeout(done, PATIENCE_MS)));
    await Promise.race([this.#ask(), late]);
    clearTimeout(timer);
    return this.estimate === null;
  }

  /** Cancels and forgets the request. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#subject = '';
    this.#draft = null;
    this.#asked = null;
    this.estimate = null;
  }

  #ask(): Promise<void> {
    clearTimeout(this.#timer);
    this.#asked ??= this.#answered();
    return this.#asked;
  }

  async #answered(): Promise<void> {
    const subject = this.#subject;
    if (!this.#draft) return;
    try {
      // The estimate needs no secrets.
      const connection = { ...this.#draft, headers: {}, proxy: '' };
      const { estimate } = await host.call('estimate_vectors', { connection });
      if (subject === this.#subject && estimate.at_most_micros > 0) this.estimate = estimate;
    } catch {
      // Connecting will report what is wrong.
    }
  }
}

/** The values the cost depends on. */
function subjectOf({ name, kind, base_url, models, embedding }: ConnectionDraft): string {
  return JSON.stringify([name, kind, base_url, models, embedding]);
}
