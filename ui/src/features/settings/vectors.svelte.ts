import { host, type ConnectionDraft, type Estimate } from '../../host';

/** What is typed is asked about once it stood still for so long. */
const STILL_MS = 300;
/** Connecting waits no longer than this for the price: the limit of background work holds without it. */
const PATIENCE_MS = 300;

/** What making vectors with the connection of a form would cost, told before it is connected. */
export class Vectors {
  /** Null where it costs nothing, and while that is not known. */
  estimate = $state.raw<Estimate | null>(null);
  #subject = '';
  #draft: ConnectionDraft | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The question about the draft, once it was asked. */
  #asked: Promise<void> | null = null;

  /** Follows what is typed; null while something is wrong with it. */
  about(draft: ConnectionDraft | null): void {
    const subject = draft?.embedding ? subjectOf(draft) : '';
    if (subject === this.#subject) return;
    this.leave();
    this.#subject = subject;
    this.#draft = subject ? draft : null;
    if (subject) this.#timer = setTimeout(() => void this.#ask(), STILL_MS);
  }

  /** Whether what it costs was told, or is nothing. Asks at once where that was still to be done. */
  async isTold(draft: ConnectionDraft): Promise<boolean> {
    this.about(draft);
    if (!this.#draft || this.estimate) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((done) => (timer = setTimeout(done, PATIENCE_MS)));
    await Promise.race([this.#ask(), late]);
    clearTimeout(timer);
    return this.estimate === null;
  }

  /** Nothing is asked any more. */
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
      // Nothing secret is needed to reckon.
      const connection = { ...this.#draft, headers: {}, proxy: '' };
      const { estimate } = await host.call('estimate_vectors', { connection });
      if (subject === this.#subject && estimate.at_most_micros > 0) this.estimate = estimate;
    } catch {
      // What is wrong with it is told when it is connected.
    }
  }
}

/** What the cost depends on. */
function subjectOf({ name, kind, base_url, models, embedding }: ConnectionDraft): string {
  return JSON.stringify([name, kind, base_url, models, embedding]);
}
