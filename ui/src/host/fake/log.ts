import type { Fault, Id, ResearchState, TurnEvent, WireEvent } from '../wire';
import type { Said } from './journal';
import { instant, START } from './rows';
import type { WorldOptions } from './scenario';

/** Events for every subscriber. */
type Wide =
  | { event: 'changed'; kinds: string[] }
  | { event: 'research_state'; id: Id; state: ResearchState; why: string | null }
  | { event: 'progress'; what: string; done: number; total: number | null; ended?: { fault?: Fault } };

/** The clock, the pace, and the journals of conversations with their subscribers. */
export class Log {
  readonly options: WorldOptions;
  protected readonly journals = new Map<Id, TurnEvent[]>();
  #listeners = new Set<{ conversation: Id | null; on: (event: WireEvent) => void }>();
  #ids = 0;
  #stopped = new Set<Id>();

  constructor(options: WorldOptions) {
    this.options = options;
  }

  now(): number {
    return Date.parse(START) + this.options.elapsed();
  }

  iso(): string {
    return instant(this.now());
  }

  async pause(ms: number): Promise<void> {
    const wait = ms * this.options.pace;
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    else await Promise.resolve();
  }

  fresh(prefix: string): Id {
    this.#ids += 1;
    return `${prefix}-${this.#ids}`;
  }

  subscribe(conversation: Id | null, from: number, on: (event: WireEvent) => void): () => void {
    const listener = { conversation, on };
    this.#listeners.add(listener);
    if (conversation !== null) {
      for (const event of this.journals.get(conversation) ?? []) if (event.seq > from) on(event);
    }
    return () => this.#listeners.delete(listener);
  }

  changed(...kinds: string[]): void {
    this.tell({ event: 'changed', kinds });
  }

  /** Sends an event that concerns the whole profile. */
  tell(body: Wide): void {
    const event = { ...body, turn: '', seq: 0, conversation: '' } as WireEvent;
    for (const one of [...this.#listeners]) if (one.conversation === null) one.on(event);
  }

  /** The events of a conversation. */
  saidIn(conversation: Id): readonly TurnEvent[] {
    return this.journals.get(conversation) ?? [];
  }

  /** The number of events in each conversation. */
  lengths(): Map<Id, number> {
    return new Map([...this.journals].map(([id, log]) => [id, log.length]));
  }

  /** The events of a turn, and its conversation. */
  turnOf(turn: Id): { conversation: Id; said: TurnEvent[] } | null {
    for (const [conversation, log] of this.journals) {
      const said = log.filter((event) => event.turn === turn);
      if (said.length > 0) return { conversation, said };
    }
    return null;
  }

  say(conversation: Id, turn: Id, said: Said): void {
    if (this.#stopped.has(turn) && said.event !== 'interrupted') return;
    const log = this.journals.get(conversation) ?? [];
    const event = { ...said, conversation, turn, seq: log.length + 1 } as TurnEvent;
    this.journals.set(conversation, [...log, event]);
    for (const one of [...this.#listeners]) if (one.conversation === conversation) one.on(event);
  }

  /** Stops what is running in one conversation, or in all. */
  protected stop(conversation: Id | null): void {
    for (const [id, log] of this.journals) {
      const last = log.at(-1);
      if (!last || ['done', 'waiting', 'interrupted', 'error'].includes(last.event)) continue;
      if (conversation !== null && id !== conversation) continue;
      this.say(id, last.turn, { event: 'interrupted', results: [] });
      this.#stopped.add(last.turn);
    }
  }
}
