import {
  faultOf,
  host,
  show,
  type Fault,
  type Id,
  type Instant,
  type JsonValue,
  type TurnEvent,
  type WireEvent,
} from '../../host';
import { onChanged } from '../changes';
import { clock } from '../clock.svelte';
import { refusedFault, type Asked } from '../follow';
import { live } from '../live.svelte';
import { router } from '../router.svelte';
import { storage } from '../storage.svelte';
import { t } from '../strings';
import type { Tier } from '../tiers';
import { toasts } from '../toast.svelte';
import { drafts } from './drafts.svelte';
import { emptyTalk, fold, isUnstored } from './fold';
import { exchanges, isOpen } from './standing';
import type { TalkView, TurnView } from './view';
import { Newest } from '../newest';
import { Speaker } from './speaker';
import { Thought } from './thought.svelte';

const ABOUT_ALL = ['changed', 'progress', 'reminder'];

/** Whether an event belongs to a turn, not to the whole profile or a research. */
const isOfTurn = (event: WireEvent): event is TurnEvent =>
  !ABOUT_ALL.includes(event.event) && !event.event.startsWith('research_');

/** Turns shown at first, and how many each press of “earlier” adds. */
const TURNS_PAGE = 30;
/** Events are folded once per frame, or after this long in a hidden window, which has no frames. */
const HIDDEN_MS = 100;
/** A conversation with messages counts as loading until its journal's first event, or for this long. */
const JOURNAL_MS = 5_000;

export interface Sending {
  text: string;
  /** Monotonic ms from which the status line counts. */
  since: number;
}

/** The id for a new conversation: the engine creates conversations it does not know. */
function newId(): Id {
  return `c-${crypto.randomUUID()}`;
}

/** One conversation as the window shows it: its folded journal, and what the person just sent. */
export class Conversation {
  id = $state<Id | null>(null);
  view = $state.raw<TalkView>(emptyTalk);
  loading = $state(false);
  /** Loading or subscribing failed. */
  fault = $state.raw<Fault | null>(null);
  /** What the person said and the journal does not contain yet. */
  sending = $state.raw<Sending | null>(null);
  /** The last request failed; `back` if its words went back into the message field. */
  refused = $state.raw<{ text: string; fault: Fault; back: boolean } | null>(null);
  stopping = $state(false);
  /** Monotonic ms when the running turn last reported what it does. */
  statusSince = $state(0);
  /** When each turn began. */
  times = $state.raw<ReadonlyMap<Id, Instant>>(new Map());
  #shown = $state(TURNS_PAGE);
  #unsubscribe: (() => void) | null = null;
  #queue: TurnEvent[] = [];
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  /** Turns that had already ended when this conversation was opened: they are not announced. */
  #past = new Set<Id>();
  /** Turns whose end was not stored when it was reported; once stored, it gets the next numbers of the journal. */
  #unstored = new Set<Id>();
  readonly #speaker = new Speaker();
  #opening = new Newest();
  /** Number of the first event for the message just sent, once known. */
  #firstSeq: number | null = null;
  #watching = false;
  /** Messages that are shown and not sent yet. */
  readonly #early = new Set<Sending>();

  last = $derived(this.view.turns.at(-1));
  running = $derived(isOpen(this.view.turns.at(-1)) || this.sending !== null);
  #standing = $derived(exchanges(this.view.turns));
  /** The newest exchanges; long conversations show one page at a time. */
  exchanges = $derived(this.#standing.slice(-this.#shown));
  more = $derived(this.#standing.length > this.#shown);
  /** The turn being rephrased; the new wording replaces it and all turns after it. */
  editing = $state.raw<TurnView | null>(null);
  /** The unsent text from before the edit began. */
  #draft = '';
  /** How long models thought before their first words. */
  readonly thought = new Thought();

  /** The id of the shown conversation while its journal is empty. */
  #unborn: Id | null = null;
  /** Whether a message that could not be sent goes back into the message field. */
  readonly #gives: boolean;

  constructor({ gives = true } = {}) {
    this.#gives = gives;
  }

  /** Shows a conversation from its journal and follows it. Null starts an empty one. */
  async open(id: Id | null): Promise<void> {
    if (id !== null && id === this.id && this.fault === null) return;
    const current = this.#opening.begin();
    this.#leave();
    this.#leaveEdit();
    this.close();
    this.id = id;
    this.view = emptyTalk;
    this.fault = null;
    this.sending = null;
    this.#firstSeq = null;
    this.refused = null;
    this.thought.forget();
    this.times = new Map();
    this.#shown = TURNS_PAGE;
    this.#past = new Set();
    this.#unstored = new Set();
    if (id === null) return;
    this.#watch();
    this.loading = true;
    try {
      const messages = await show(host, 'messages', { id });
      if (!current()) return;
      this.times = new Map(messages.filter((one) => one.role === 'user').map((one) => [one.id, one.at]));
      this.#past = new Set(messages.filter((one) => one.role === 'assistant').map((one) => one.id));
      this.#follow();
      // Without messages there is no journal to wait for.
      if (messages.length === 0) this.loading = false;
      else this.#patience = setTimeout(() => this.#late(), JOURNAL_MS);
    } catch (thrown) {
      if (!current()) return;
      this.fault = faultOf(thrown);
      this.loading = false;
    }
  }

  /** The journal is late: it has messages, so do not show it as empty. Events that still arrive are shown. */
  #late(): void {
    this.fault = { code: 'late', message: t('chat.late'), hint: t('chat.late_hint') };
    this.loading = false;
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    onChanged(['conversations'], () => void this.#checkThere());
  }

  /** Closes the conversation if it was deleted or erased, here or elsewhere. */
  async #checkThere(): Promise<void> {
    const { id } = this;
    const shows = () => this.id === id && this.view.turns.length > 0 && !this.sending;
    if (id === null || !shows()) return;
    try {
      const messages = await show(host, 'messages', { id, limit: 1 });
      if (messages.length > 0 || !shows()) return;
    } catch {
      // It may still exist.
      return;
    }
    drafts.set(id, '');
    await this.open(null);
  }

  /** Moves the unsent words of a conversation that never began to the next new conversation. */
  #leave(): void {
    if (this.#unborn !== null && !this.sending) drafts.move(this.#unborn, null);
    this.#unborn = null;
  }

  /** Begins to rephrase a message in the message field. */
  edit(turn: TurnView): void {
    if (this.editing === null) this.#draft = drafts.of(this.id);
    this.editing = turn;
    drafts.set(this.id, turn.text);
  }

  /** Cancels the edit, and restores the unsent text from before. */
  stopEdit(): void {
    if (this.editing === null) return;
    this.editing = null;
    drafts.set(this.id, this.#draft);
  }

  /** Ends the edit when another conversation opens; keeps the unsent text, and the edited words if they changed. */
  #leaveEdit(): void {
    const { editing } = this;
    const words = drafts.of(this.id);
    this.stopEdit();
    if (editing && words.trim() !== '' && words !== editing.text) drafts.giveBack(this.id, words);
  }

  /** Unsubscribes; the view stays. */
  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#queue = [];
    this.#speaker.forget();
    clearTimeout(this.#patience);
    this.loading = false;
  }

  /** Reopens the conversation after a failure. */
  again(): Promise<void> {
    const wanted = this.id;
    this.id = null;
    return this.open(wanted);
  }

  earlier(): void {
    this.#shown += TURNS_PAGE;
  }

  /** Shows a message before it is sent. The returned function ends that, and tells whether to send it still. */
  early(text: string): () => boolean {
    const sending = this.#show(text);
    this.#early.add(sending);
    return () => {
      if (this.sending === sending) this.sending = null;
      return this.#early.delete(sending);
    };
  }

  #show(text: string): Sending {
    this.refused = null;
    this.#firstSeq = null;
    return (this.sending = { text, since: clock.mono() });
  }

  /** Sends a message; during an edit, replaces the edited one. */
  send(text: string, tier: Tier | null = null): Promise<void> {
    const { editing } = this;
    if (editing) return this.retry(editing.id, text, tier);
    return this.#speak(text, true, (id) => host.call('ask', { conversation: id, text, ...(tier && { tier }) }));
  }

  /** Asks a turn's message again; it replaces that turn and all turns after it. */
  retry(turn: Id, text: string, tier: Tier | null = null): Promise<void> {
    return this.#speak(text, this.editing !== null, async () => {
      const asked = await host.call('retry', { turn, text, ...(tier && { tier }) });
      // If the engine refused, keep editing.
      if (this.editing?.id === turn && asked.seq > 0) {
        this.editing = null;
        if (drafts.of(asked.conversation) === '') drafts.set(asked.conversation, this.#draft);
      }
      return asked;
    });
  }

  /** Answers a question by pressing a choice. */
  answer(question: Id, value: JsonValue, label: string): Promise<void> {
    return this.#speak(label, false, () => host.call('answer', { id: question, value }));
  }

  /** `written`: the person typed it rather than pressed a button; if sending fails, the words go back to them. */
  async #speak(text: string, written: boolean, call: (id: Id) => Promise<Asked>): Promise<void> {
    const sending = this.#show(text);
    const fresh = this.id === null;
    const id = this.id ?? newId();
    try {
      if (fresh) {
        // Subscribe before asking, so that no event of the first turn is missed.
        this.id = id;
        this.#unborn = id;
        this.#watch();
        drafts.move(null, id);
        this.#follow();
      }
      const { seq } = await call(id);
      if (seq <= 0) throw refusedFault();
      if (this.sending === sending) {
        this.#firstSeq = seq;
        this.#arrived();
      }
    } catch (thrown) {
      if (this.sending === sending) this.sending = null;
      this.#unsent(text, written, fresh, id, faultOf(thrown));
    }
  }

  /** Returns the words to the conversation they came from, which may no longer be the one on screen. */
  #unsent(text: string, written: boolean, fresh: boolean, id: Id, fault: Fault): void {
    const here = this.id === id;
    const home = here || !fresh ? id : null;
    const back = written && this.#gives;
    if (back) drafts.giveBack(home, text);
    if (here) {
      this.refused = { text, fault, back };
      return;
    }
    const title = live.conversations.find((one) => one.id === home)?.title || t('chat.title_new');
    toasts.show(back ? t('chat.failed_elsewhere', { title }) : t('chat.failed_answer', { title }), {
      label: t('chat.failed_open'),
      run: () => router.go('chat', home ?? 'new'),
    });
  }

  /** The journal now shows the sent message. Compares numbers, because an answer continues an older turn. */
  #arrived(): void {
    if (this.#firstSeq === null || this.view.seq < this.#firstSeq) return;
    this.#firstSeq = null;
    this.sending = null;
  }

  async stop(): Promise<void> {
    if (this.#early.size > 0) {
      this.#early.clear();
      this.sending = null;
      return;
    }
    if (this.id === null) return;
    this.stopping = true;
    try {
      await host.call('interrupt', { turn: null, conversation: this.id });
    } catch (thrown) {
      this.refused = { text: '', fault: faultOf(thrown), back: false };
    } finally {
      this.stopping = false;
    }
  }

  #follow(): void {
    this.#unsubscribe?.();
    const id = this.id;
    this.#unsubscribe = host.subscribe(
      { conversation: id, from_seq: this.view.seq },
      (event) => this.#receive(event),
      (fault) => {
        if (this.id !== id) return;
        this.fault = fault;
        this.loading = false;
      },
    );
  }

  #receive(event: WireEvent): void {
    if (!isOfTurn(event) || event.conversation !== this.id) return;
    // Numbers only grow within a journal: this is a new journal under the same id, begun after everything was erased.
    if (event.event === 'turn_started' && event.seq <= this.view.seq && !this.#knows(event.turn)) {
      void this.again();
      return;
    }
    // Its end is now stored, under numbers that the lost events had used: reload.
    if (event.seq > 0 && event.seq <= this.view.seq && this.#unstored.has(event.turn)) {
      void this.again();
      return;
    }
    this.#queue.push(event);
    this.#schedule();
  }

  #knows(turn: Id): boolean {
    return this.view.turns.some((one) => one.id === turn);
  }

  /** A replay brings thousands of events and a stream several per frame, so fold them together once per frame. */
  #schedule(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => this.#flush());
    this.#timer = setTimeout(() => this.#flush(), HIDDEN_MS);
  }

  #flush(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = 0;
    const events = this.#queue;
    this.#queue = [];
    if (events.length === 0) return;
    clearTimeout(this.#patience);
    this.loading = false;
    if (this.fault?.code === 'late') this.fault = null;
    this.#unborn = null;
    const before = this.view.seq;
    this.view = events.reduce(fold, this.view);
    this.#arrived();
    for (const event of events) {
      const lost = isUnstored(event) && this.#knows(event.turn);
      if (lost) this.#unstored.add(event.turn);
      if ((lost || event.seq > before) && !this.#past.has(event.turn)) this.#fresh(event);
    }
  }

  /** Handles a new event's side effects: the status line's clock, the cards, and announcements. */
  #fresh(event: TurnEvent): void {
    if (event.event === 'turn_started') {
      this.sending = null;
      this.statusSince = clock.mono();
      if (!this.times.has(event.turn)) {
        this.times = new Map(this.times).set(event.turn, new Date(clock.now()).toISOString());
      }
    }
    this.thought.see(event);
    // The card renders the stored row, not the event.
    if (event.event === 'approval_needed') void live.reloadApprovals();
    if (event.event === 'error') storage.told(event);
    if (event.event === 'status' || event.event === 'tool_call') this.statusSince = clock.mono();
    this.#speaker.say(
      event,
      this.view.turns.find((turn) => turn.id === event.turn),
    );
  }
}

/** The conversation of the main window: the chat renders it, and the plan beside it reads it. */
export const talk = new Conversation();
