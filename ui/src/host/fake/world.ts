import { HostFault } from '../host';
import type {
  ActivityRow,
  ApplyReply,
  Approval,
  Changed,
  Hit,
  Id,
  MemoryRow,
  NoteRow,
  Receipt,
  Rows,
  ShowKind,
  Status,
  TaskRow,
  TurnEvent,
  WireEvent,
} from '../wire';
import * as cards from './cards';
import * as journal from './journal';
import * as rows from './rows';

/** What a page shows, chosen with `?fake=`. */
export type Scenario = 'populated' | 'empty' | 'first-run' | 'waiting' | 'failing' | 'loading' | 'tricky' | 'one';

export interface WorldOptions {
  scenario: Scenario;
  /** Multiplies every delay; 0 answers at once. */
  pace: number;
  /** Milliseconds since the world began, as the world sees them. */
  elapsed: () => number;
}

/** How long an approved mail is held. */
const HELD_MS = 20_000;

const broken = () =>
  new HostFault({
    code: 'store_closed',
    message: 'The data of this profile could not be read.',
    hint: 'Check that the disk is not full, then try again. Nothing was changed.',
  });

/** A small engine in memory: enough of the real one's behaviour to try the window, and nothing that ships. */
export class World {
  readonly options: WorldOptions;
  tables: { tasks: TaskRow[]; notes: NoteRow[]; memories: MemoryRow[]; activity: ActivityRow[] } = {
    tasks: [],
    notes: [],
    memories: [],
    activity: [],
  };
  events = rows.events;
  conversations = rows.conversations;
  approvals: Approval[] = [];
  config: Record<string, unknown> = { 'appearance.theme': 'system', 'reminders.notify': true, 'quiet.from': '22:00' };
  #journals = new Map<Id, TurnEvent[]>();
  #listeners = new Set<{ conversation: Id | null; on: (event: WireEvent) => void }>();
  #ids = 0;
  #inverse = new Map<Id, () => void>();
  #stopped = new Set<Id>();

  constructor(options: WorldOptions) {
    this.options = options;
    this.#fill(options.scenario);
  }

  // ---- time and pace -------------------------------------------------------------------------------------------

  now(): number {
    return Date.parse(rows.START) + this.options.elapsed();
  }

  iso(): string {
    return new Date(this.now()).toISOString();
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

  // ---- journal -------------------------------------------------------------------------------------------------

  subscribe(conversation: Id | null, from: number, on: (event: WireEvent) => void): () => void {
    const listener = { conversation, on };
    this.#listeners.add(listener);
    if (conversation !== null) {
      for (const event of this.#journals.get(conversation) ?? []) if (event.seq > from) on(event);
    }
    return () => this.#listeners.delete(listener);
  }

  changed(...kinds: Changed['kinds']): void {
    for (const one of this.#listeners) one.on({ event: 'changed', kinds });
  }

  say(conversation: Id, turn: Id, said: journal.Said): void {
    if (this.#stopped.has(turn) && said.event !== 'interrupted') return;
    const log = this.#journals.get(conversation) ?? [];
    const event = { ...said, conversation, turn, seq: log.length + 1, at: this.iso() } as TurnEvent;
    this.#journals.set(conversation, [...log, event]);
    for (const one of this.#listeners) if (one.conversation === conversation) one.on(event);
  }

  conversation(id: Id, turns: number, before: number | undefined) {
    if (this.options.scenario === 'failing' && id !== 'main') throw broken();
    const known = this.conversations.find((one) => one.id === id);
    const log = (this.#journals.get(id) ?? []).filter((event) => before === undefined || event.seq < before);
    const order = [...new Set(log.map((event) => event.turn))];
    const kept = new Set(order.slice(-turns));
    return {
      id,
      title: known?.title ?? '',
      events: log.filter((event) => kept.has(event.turn)),
      more: order.length > kept.size,
    };
  }

  /** Ends a turn where it is. */
  interrupt(turn: Id | null): void {
    for (const [conversation, log] of this.#journals) {
      const last = log.at(-1);
      if (!last || ['done', 'waiting', 'interrupted', 'error'].includes(last.event)) continue;
      if (turn !== null && last.turn !== turn) continue;
      this.say(conversation, last.turn, { event: 'interrupted', results: [] });
      this.#stopped.add(last.turn);
    }
    if (turn === null) {
      this.approvals = this.approvals.map((one) =>
        ['approved', 'pending'].includes(one.state) ? { ...one, state: 'cancelled', not_before: null } : one,
      );
      this.changed('approvals');
    }
  }

  // ---- approvals -----------------------------------------------------------------------------------------------

  approval(id: Id): Approval {
    const found = this.approvals.find((one) => one.id === id);
    if (!found) {
      throw new HostFault({
        code: 'no_such_action',
        message: 'This action is not here any more.',
        hint: 'Look at the list.',
      });
    }
    return found;
  }

  put(next: Approval): Approval {
    this.approvals = this.approvals.some((one) => one.id === next.id)
      ? this.approvals.map((one) => (one.id === next.id ? next : one))
      : [next, ...this.approvals];
    this.changed('approvals');
    return next;
  }

  async approve(id: Id, digest: string): Promise<Approval> {
    const one = this.approval(id);
    if (one.digest !== digest || one.state !== 'pending' || Date.parse(one.expires) <= this.now()) {
      throw new HostFault({
        code: 'stale_approval',
        message: 'This changed since it was shown, so nothing was done.',
        hint: 'Look at the new card.',
      });
    }
    if (one.tool.startsWith('email.')) {
      const held = this.put({ ...one, state: 'approved', not_before: new Date(this.now() + HELD_MS).toISOString() });
      void this.pause(HELD_MS).then(() => this.approval(id).state === 'approved' && this.finish(id));
      return held;
    }
    const running = this.put({ ...one, state: 'executing' });
    void this.pause(400).then(() => this.finish(id));
    return running;
  }

  finish(id: Id): void {
    const one = this.approval(id);
    if (one.state === 'succeeded') return;
    const receipt: Receipt = {
      id: `r-${id}`,
      outcome: 'done',
      what: one.tool.startsWith('email.') ? 'Sent to 2 of 2, 09:24' : 'Thu 15 Jan, 11:00',
      at: this.iso(),
      read_back: true,
      undo: one.shown.undo.possible ? 'reaches_people' : null,
    };
    this.put({ ...one, state: 'succeeded', not_before: null, receipt });
    if (one.conversation && one.turn) {
      const key = (this.#journals.get(one.conversation) ?? []).find(
        (event) => event.event === 'approval_needed' && event.id === id,
      );
      if (key?.event === 'approval_needed') {
        this.say(one.conversation, one.turn, { event: 'tool_result', step: key.step, ok: true, receipt, ms: 320 });
        this.say(one.conversation, one.turn, journal.finished(`Done: ${one.shown.title}.`, [one.tool], 420));
      }
    }
    this.changed('activity', 'events', 'outbox');
  }

  reject(id: Id): Approval {
    return this.put({ ...this.approval(id), state: 'denied' });
  }

  /** A new card in the place of an old one. */
  again(id: Id, change: (card: Approval['shown']) => Approval['shown'] = (card) => card): Approval {
    const old = this.approval(id);
    const next = cards.approval(this.fresh('a'), old.tool, change(old.shown), this.now(), {
      conversation: old.conversation,
      turn: old.turn,
      risk: old.risk,
    });
    if (old.state === 'pending') this.put({ ...old, state: 'superseded', superseded_by: next.id });
    this.put(next);
    if (old.conversation && old.turn) {
      const log = this.#journals.get(old.conversation) ?? [];
      const asked = log.find((event) => event.event === 'approval_needed' && event.id === id);
      if (asked?.event === 'approval_needed') {
        const { step, tool, args, risk, sources } = asked;
        const { digest, shown } = next;
        const said: journal.Said = {
          event: 'approval_needed',
          id: next.id,
          step,
          digest,
          tool,
          args,
          shown,
          risk,
          sources,
        };
        this.say(old.conversation, old.turn, said);
      }
    }
    return next;
  }

  edit(id: Id, changes: { path: string; value: string | null }[], drop: Id[]): Approval {
    return this.again(id, (card) => {
      const change = (path: string | null | undefined) => changes.find((one) => one.path === path);
      const facts = card.facts
        .map((fact) => {
          const to = change(fact.path);
          return to ? { ...fact, value: to.value ?? '', source: { kind: 'person' as const } } : fact;
        })
        .filter((fact) => change(fact.path)?.value !== null);
      const items = card.items.filter((item) => !drop.includes(item.id));
      return {
        ...card,
        facts,
        items,
        title: drop.length > 0 ? card.title.replace(/\d+/, String(items.length)) : card.title,
        notes: card.notes.filter((note) => !note.path || change(note.path)?.value !== null),
        body: change(card.body_path)?.value ?? card.body,
      };
    });
  }

  // ---- rows ----------------------------------------------------------------------------------------------------

  async show(what: ShowKind, id: Id | undefined, limit: number | undefined): Promise<Rows[ShowKind][]> {
    if (this.options.scenario === 'loading' && what !== 'conversations') await new Promise(() => undefined);
    if (this.options.scenario === 'failing' && what !== 'conversations') throw broken();
    const all = {
      tasks: this.tables.tasks,
      notes: this.tables.notes,
      memories: this.tables.memories,
      activity: this.tables.activity,
      events: this.events,
      conversations: this.conversations,
      approvals: this.approvals,
      plans: [],
      mail: [],
      outbox: [],
      contacts: [],
    }[what] as Rows[ShowKind][];
    const wanted = id === undefined ? all : all.filter((row) => row.id === id);
    return structuredClone(wanted.slice(0, limit));
  }

  search(text: string, limit: number): Hit[] {
    const wanted = text.toLowerCase();
    const hits: Hit[] = [
      ...this.tables.memories.map((row) => ({
        what: 'memories' as const,
        id: row.id,
        title: row.value,
        detail: 'memory',
      })),
      ...this.tables.notes.map((row) => ({ what: 'notes' as const, id: row.id, title: row.title, detail: 'note' })),
      ...this.tables.tasks.map((row) => ({ what: 'tasks' as const, id: row.id, title: row.title, detail: 'task' })),
      ...this.conversations.map((row) => ({
        what: 'conversations' as const,
        id: row.id,
        title: row.title,
        detail: 'conversation',
      })),
    ];
    return hits.filter((hit) => hit.title.toLowerCase().includes(wanted)).slice(0, limit);
  }

  status(): Status {
    const { scenario } = this.options;
    return {
      profile: 'Work',
      profiles: ['Work', 'Sample'],
      person: 'Mara',
      now: this.iso(),
      tz: rows.ZONE,
      first_run: scenario === 'first-run',
      sending: 0,
      problem: scenario === 'failing' ? 'The disk is full' : null,
      version: '0.1.0',
    };
  }

  /** What a surface does directly. Deletions stop at a card, as in the real gate. */
  apply(tool: string, args: Record<string, unknown>): ApplyReply {
    if (this.options.scenario === 'failing') {
      return {
        outcome: 'failed',
        error: { code: 'store', message: 'This could not be saved.', hint: 'Free some space, then try again.' },
      };
    }
    const [kind, verb] = tool.split('.') as [string, string];
    const id = String(args['id'] ?? '');
    const table = { task: 'tasks', note: 'notes', memory: 'memories' }[kind] as
      'tasks' | 'notes' | 'memories' | undefined;
    if (!table)
      return { outcome: 'failed', error: { code: 'unknown_tool', message: `${tool} is not a tool.`, hint: '' } };
    const list = this.tables[table] as { id: Id }[];
    if (verb === 'delete' || verb === 'forget') {
      const title = this.#titleOf(list.find((row) => row.id === id));
      const card = { ...cards.toolCard, title: `${verb === 'forget' ? 'Forget' : 'Delete'} “${title}”`, verb };
      const made = this.put(cards.approval(this.fresh('a'), tool, card, this.now()));
      return { outcome: 'approval_needed', id: made.id };
    }
    const before = structuredClone(list);
    const set = (next: { id: Id }[]) => {
      (this.tables as Record<string, unknown[]>)[table] = next;
      this.changed(table, 'activity');
    };
    if (verb === 'create' || verb === 'store') {
      set([this.#make(table, { ...args, id: this.fresh(kind) }) as { id: Id }, ...list]);
    } else {
      const change =
        verb === 'complete'
          ? { status: 'done', completed: this.iso() }
          : Object.fromEntries(Object.entries(args).filter(([key]) => key !== 'id'));
      set(list.map((row) => (row.id === id ? { ...row, ...change } : row)));
    }
    const receipt: Receipt = {
      id: this.fresh('r'),
      outcome: 'done',
      what: `${verb === 'complete' ? 'Done' : verb === 'create' ? 'Added' : 'Changed'}: ${String(args['title'] ?? args['value'] ?? this.#titleOf(list.find((row) => row.id === id)))}`,
      at: this.iso(),
      undo: 'local',
    };
    this.#inverse.set(receipt.id, () => set(before));
    return { outcome: 'done', receipt, effect: receipt.id };
  }

  undo(id: Id | null): ApplyReply {
    const key = id ?? [...this.#inverse.keys()].at(-1) ?? null;
    const run = key === null ? undefined : this.#inverse.get(key);
    if (key === null || !run) {
      const held = this.approvals.find((one) => one.state === 'approved');
      if (id === null && held) {
        this.put({ ...held, state: 'cancelled', not_before: null });
        return { outcome: 'done', receipt: this.#undone(held.shown.title), effect: null };
      }
      if (id !== null) return { outcome: 'done', receipt: this.#undone('it is as it was before'), effect: null };
      return { outcome: 'failed', error: { code: 'nothing', message: 'There is nothing to undo.', hint: '' } };
    }
    run();
    this.#inverse.delete(key);
    return { outcome: 'done', receipt: this.#undone('it is as it was before'), effect: null };
  }

  // ---- making it up --------------------------------------------------------------------------------------------

  #undone(what: string): Receipt {
    return { id: this.fresh('r'), outcome: 'undone', what: `Undone: ${what}.`, at: this.iso() };
  }

  #titleOf(row: unknown): string {
    const any = (row ?? {}) as Record<string, unknown>;
    return String(any['title'] ?? any['value'] ?? '');
  }

  #make(table: 'tasks' | 'notes' | 'memories', args: Record<string, unknown>): unknown {
    switch (table) {
      case 'tasks':
        return { title: '', notes: '', due: null, priority: 'normal', status: 'open', ...args };
      case 'notes':
        return { title: '', body: '', updated: this.iso(), ...args };
      case 'memories':
        return {
          category: 'facts',
          key: '',
          value: '',
          source: { kind: 'person' },
          confidence: 1,
          valid_from: this.iso(),
          uses: 0,
          ...args,
        };
    }
  }

  #write(conversation: Id, turn: Id, said: journal.Said[]): void {
    for (const one of said) this.say(conversation, turn, one);
  }

  #fill(scenario: Scenario): void {
    if (scenario === 'empty' || scenario === 'first-run') {
      this.conversations = [];
      this.events = [];
      return;
    }
    this.tables = structuredClone({
      tasks: rows.tasks,
      notes: rows.notes,
      memories: rows.memories,
      activity: rows.activity,
    });
    const now = this.now();
    const move = cards.approval('a-move', 'calendar.update', cards.moveCard, now, {
      minutes: 14,
      conversation: 'main',
      turn: 'turn-1',
      step: { number: 5, of: 6 },
    });
    const settled = (id: string, title: string, more: Partial<Approval>, ago: number) =>
      cards.approval(id, 'email.send', { ...cards.mailCard, title, notes: [] }, now, {
        created: new Date(now - ago * 3_600_000).toISOString(),
        ...more,
      });
    if (scenario === 'one') {
      this.approvals = [move];
    } else {
      this.approvals = [
        cards.approval('a-mail', 'email.reply', cards.mailCard, now, { minutes: 9 }),
        move,
        cards.approval('a-batch', 'task.delete', cards.batchCard, now, { minutes: 12 }),
        scenario === 'tricky'
          ? cards.approval('a-trick', 'email.send', cards.trickCard, now, { minutes: 13 })
          : cards.approval('a-forget', 'memory.forget', cards.toolCard, now, { minutes: 13 }),
        cards.approval(
          'a-held',
          'email.send',
          { ...cards.mailCard, title: 'Budget note to Priya Nair', notes: [] },
          now,
          {
            state: 'approved',
            not_before: new Date(now + 18_000).toISOString(),
          },
        ),
        settled(
          'a-unknown',
          'Invoice to Bergmann AG',
          {
            state: 'unknown',
            receipt: {
              id: 'r-invoice',
              outcome: 'unknown',
              what: 'May have been sent. Not found in Sent; please check before sending again.',
              at: '2026-01-12T17:58:00-05:00',
            },
          },
          15,
        ),
        settled(
          'a-done',
          'Mail to Tomás Keller',
          {
            state: 'succeeded',
            receipt: {
              id: 'r-tomas',
              outcome: 'done',
              what: 'Approved, delivered to 1 of 1',
              at: '2026-01-12T11:00:00-05:00',
              read_back: true,
            },
          },
          20,
        ),
        settled('a-expired', 'Cancel “Design sync”', { state: 'expired' }, 40),
        settled('a-denied', 'Mail to everyone in the team', { state: 'denied' }, 44),
        settled('a-super', 'Reply to Hannah Voss', { state: 'superseded', superseded_by: 'a-mail' }, 45),
        settled(
          'a-failed',
          'Mail to the old Kelm address',
          {
            state: 'failed',
            error: { code: 'refused', message: 'The server refused the address.', hint: 'Correct it and ask again.' },
          },
          60,
        ),
      ];
    }
    this.#write('c-lease', 'turn-l1', journal.leaseTurn);
    this.#write('c-bank', 'turn-b1', journal.bankTurn);
    if (scenario === 'failing') this.#write('main', 'turn-f', journal.failedTurn);
    else if (scenario === 'waiting') {
      this.#write('main', 'turn-w', journal.inFlight);
    } else {
      this.#write('main', 'turn-1', journal.moveRaj(move));
    }
  }
}
