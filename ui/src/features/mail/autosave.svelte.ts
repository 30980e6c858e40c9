import type { Fault, Id, JsonValue } from '../../host';
import { act } from '../../kit/act';

/** How often typed text is saved: at most this much of it can be lost, and no save comes sooner. */
export const SAVE_EVERY_MS = 5_000;

type Args = Record<string, JsonValue>;

/** Saves a mail as a draft every few seconds while it is written, so that a crash loses no more than that. */
export class Autosave {
  /** The id of the draft; null before the first save. */
  id = $state<Id | null>(null);
  /** Why the last save failed. */
  fault = $state.raw<Fault | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: Args | null = null;
  #stored = '';
  #writing: Promise<void> = Promise.resolve();

  /** Continues a stored draft, whose arguments these are. */
  resume(id: Id, args: Args): void {
    this.id = id;
    this.#stored = JSON.stringify(args);
  }

  /** Whether the draft is stored with exactly these arguments. */
  has(args: Args): boolean {
    return this.#stored === JSON.stringify(args);
  }

  /** The arguments, with the draft they replace. */
  in(args: Args): Args {
    return this.id === null ? args : { ...args, draft: this.id };
  }

  /** Schedules a save of the typed text. */
  type(args: Args): void {
    this.#next = args;
    this.#timer ??= setTimeout(() => void this.flush(), SAVE_EVERY_MS);
  }

  /** Cancels the scheduled save; resolves when a save under way is done. */
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
    if (args === null || this.has(args)) return;
    const done = await act('email.draft', this.in(args), { quiet: true, onfault: (fault) => (this.fault = fault) });
    if (!done) return;
    this.fault = null;
    this.#stored = JSON.stringify(args);
    this.id ??= idIn(done.output);
  }
}

/** The first id in a tool's output. */
function idIn(output: JsonValue): Id | null {
  if (output === null || typeof output !== 'object' || Array.isArray(output)) return null;
  const ids = output['ids'];
  const first = Array.isArray(ids) ? ids[0] : null;
  return typeof first === 'string' ? first : null;
}
