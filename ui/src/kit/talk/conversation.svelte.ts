import { faultOf, host, type Fault, type Id, type TurnEvent, type WireEvent } from '../../host';
import { announce, wholeSentences } from '../announce.svelte';
import { clock } from '../clock.svelte';
import { live } from '../live.svelte';
import { t } from '../strings';
import { emptyTalk, fold, isOpen, prepend, stepsDone, type TalkView, type TurnView } from './fold';

/** Turns fetched at a time. */
const TURNS_PAGE = 30;

export interface Sending {
  text: string;
  /** Monotonic ms: the status line counts from here. */
  since: number;
  turn: Id | null;
}

/** One conversation as a window shows it: the fold of its journal, and what the person just sent. */
export class Conversation {
  id = $state<Id | null>(null);
  title = $state('');
  view = $state.raw<TalkView>(emptyTalk);
  more = $state(false);
  loading = $state(false);
  /** Loading or connecting failed. */
  fault = $state.raw<Fault | null>(null);
  /** Said by the person, not yet in the journal. */
  sending = $state.raw<Sending | null>(null);
  /** The last message could not be stored; its text belongs back in the composer. */
  refused = $state.raw<{ text: string; fault: Fault } | null>(null);
  stopping = $state(false);
  /** Monotonic ms at which the running turn last named its work. */
  statusSince = $state(0);
  /** Whether spoken announcements are made for what arrives (not while replaying). */
  #live = false;
  #unsubscribe: (() => void) | null = null;
  #queue: TurnEvent[] = [];
  #frame = 0;
  #unsaid = '';
  #opening = 0;

  last = $derived(this.view.turns.at(-1));
  running = $derived(isOpen(this.view.turns.at(-1)) || this.sending !== null);

  /** Shows a conversation from its journal and follows it. Null starts an empty one. */
  async open(id: Id | null): Promise<void> {
    if (id !== null && id === this.id && this.fault === null) return;
    const run = ++this.#opening;
    this.close();
    this.id = id;
    this.title = '';
    this.view = emptyTalk;
    this.more = false;
    this.fault = null;
    this.sending = null;
    this.refused = null;
    if (id === null) return;
    this.loading = true;
    try {
      const page = await host.call('conversation', { id, turns: TURNS_PAGE });
      if (run !== this.#opening) return;
      this.title = page.title;
      this.more = page.more;
      this.#remember(page.events);
      this.view = page.events.reduce(fold, emptyTalk);
      this.statusSince = clock.mono();
      this.#follow();
    } catch (thrown) {
      if (run === this.#opening) this.fault = faultOf(thrown);
    } finally {
      if (run === this.#opening) this.loading = false;
    }
  }

  /** Stops following; what is shown stays. */
  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#queue = [];
    this.#unsaid = '';
    this.#live = false;
  }

  async send(text: string): Promise<void> {
    this.refused = null;
    const sending: Sending = { text, since: clock.mono(), turn: null };
    this.sending = sending;
    try {
      const asked = await host.call('ask', { conversation: this.id, text });
      // It may have started, or even ended, before the reply came back.
      if (this.sending === sending) {
        this.sending = this.view.turns.some((turn) => turn.id === asked.turn) ? null : { ...sending, turn: asked.turn };
      }
      if (this.id !== asked.conversation) {
        this.id = asked.conversation;
        this.#follow();
      }
    } catch (thrown) {
      if (this.sending === sending) this.sending = null;
      this.refused = { text, fault: faultOf(thrown) };
    }
  }

  async answer(question: Id, text: string): Promise<void> {
    const sending: Sending = { text, since: clock.mono(), turn: null };
    this.sending = sending;
    try {
      const asked = await host.call('answer', { question, text });
      if (this.sending === sending) {
        this.sending = this.view.turns.some((turn) => turn.id === asked.turn) ? null : { ...sending, turn: asked.turn };
      }
    } catch (thrown) {
      if (this.sending === sending) this.sending = null;
      this.refused = { text, fault: faultOf(thrown) };
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    try {
      await host.call('interrupt', { turn: this.last?.id ?? null });
    } catch (thrown) {
      this.fault = faultOf(thrown);
    } finally {
      this.stopping = false;
    }
  }

  /** Older turns in front. */
  async earlier(): Promise<void> {
    const id = this.id;
    if (id === null || !this.more) return;
    const first = this.view.turns[0];
    try {
      const page = await host.call('conversation', {
        id,
        turns: TURNS_PAGE,
        before_seq: first ? (this.#firstSeq.get(first.id) ?? this.view.seq) : this.view.seq,
      });
      if (this.id !== id) return;
      this.#remember(page.events);
      this.more = page.more;
      this.view = prepend(this.view, page.events);
    } catch (thrown) {
      this.fault = faultOf(thrown);
    }
  }

  #firstSeq = new Map<Id, number>();

  #remember(events: TurnEvent[]): void {
    for (const event of events) {
      const known = this.#firstSeq.get(event.turn);
      if (known === undefined || event.seq < known) this.#firstSeq.set(event.turn, event.seq);
    }
  }

  #follow(): void {
    this.#unsubscribe?.();
    this.#live = true;
    this.#unsubscribe = host.subscribe({ conversation: this.id, from_seq: this.view.seq }, (event) =>
      this.#receive(event),
    );
  }

  /** Tokens come faster than frames: fold them once a frame. Everything else at once, in order. */
  #receive(event: WireEvent): void {
    if (event.event === 'changed' || event.conversation !== this.id) return;
    this.#queue.push(event);
    if (event.event !== 'token') {
      this.#flush();
    } else if (this.#frame === 0) {
      this.#frame = requestAnimationFrame(() => this.#flush());
    }
  }

  #flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const events = this.#queue;
    this.#queue = [];
    if (events.length === 0) return;
    this.#remember(events);
    const fresh = events.filter((event) => event.seq > this.view.seq);
    this.view = events.reduce(fold, this.view);
    for (const event of fresh) {
      if (event.event === 'turn_started') {
        this.sending = null;
        this.statusSince = clock.mono();
      }
      // The card is drawn from the stored row, not from the event.
      if (event.event === 'approval_needed') void live.reloadApprovals();
      if (event.event === 'status' || event.event === 'tool_call') this.statusSince = clock.mono();
      if (this.#live)
        this.#say(
          event,
          this.view.turns.find((turn) => turn.id === event.turn),
        );
    }
  }

  #say(event: TurnEvent, turn: TurnView | undefined): void {
    if (!turn) return;
    switch (event.event) {
      case 'status':
        announce.status(event.text);
        break;
      case 'plan':
        announce.say(t('plan.announce', { n: event.steps.length }));
        break;
      case 'tool_result': {
        const step = turn.steps.find((one) => one.key === event.step);
        const left = turn.steps.length - stepsDone(turn);
        if (event.ok && step && turn.steps.length > 1)
          announce.status(t('plan.announce_done', { step: step.number, n: left }));
        break;
      }
      case 'token': {
        const { said, rest } = wholeSentences(this.#unsaid + event.text);
        this.#unsaid = rest;
        if (said) announce.say(said);
        break;
      }
      case 'question':
        announce.say(event.text);
        break;
      case 'done':
      case 'waiting': {
        const rest = this.#unsaid.trim();
        // Not streamed at all: the whole answer is said now.
        const text = rest || (this.#streamed ? '' : event.answer);
        if (text) announce.say(text);
        this.#unsaid = '';
        break;
      }
      case 'error':
        announce.alert(`${event.message} ${event.hint}`);
        break;
    }
    if (event.event === 'token') this.#streamed = true;
    if (event.event === 'done' || event.event === 'waiting' || event.event === 'turn_started') this.#streamed = false;
  }

  #streamed = false;
}

/** The conversation of the main window: the chat draws it, the plan beside it reads it. */
export const talk = new Conversation();
