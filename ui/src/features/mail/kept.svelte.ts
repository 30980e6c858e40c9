import type { Fault, Id, JsonValue } from '../../host';
import { act } from '../../kit/act';

/** What is typed is never longer in the window alone, and never written more often. */
export const KEPT_EVERY_MS = 5_000;

type Args = Record<string, JsonValue>;

/** A mail while it is written: kept as a draft every few seconds, so that a crash takes no more than those. */
export class Kept {
  /** The draft that holds it; null while there is none. */
  id = $state<Id | null>(null);
  /** Why the last writing did not work. */
  fault = $state.raw<Fault | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: Args | null = null;
  #stored = '';
  #writing: Promise<void> = Promise.resolve();

  /** The arguments with the draft that they replace. */
  in(args: Args): Args {
    return this.id === null ? args : { ...args, draft: this.id };
  }

  /** Something was typed: this is what a draft would say now. */
  type(args: Args): void {
    this.#next = args;
    this.#timer ??= setTimeout(() => void this.flush(), KEPT_EVERY_MS);
  }

  /** Nothing more is written by itself; resolves when what is being written is. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = null;
    await this.#writing;
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }

  async #write(): Promise<void> {
    const args = this.#next;
    this.#next = null;
    if (args === null || JSON.stringify(args) === this.#stored) return;
    const done = await act('email.draft', this.in(args), { quiet: true, onfault: (fault) => (this.fault = fault) });
    if (!done) return;
    this.fault = null;
    this.#stored = JSON.stringify(args);
    this.id ??= idIn(done.output);
  }
}

/** The row that an answer names. */
function idIn(output: JsonValue): Id | null {
  if (output === null || typeof output !== 'object' || Array.isArray(output)) return null;
  const ids = output['ids'];
  const first = Array.isArray(ids) ? ids[0] : null;
  return typeof first === 'string' ? first : null;
}
