import { HostFault } from '../host';
import type {
  ActivityRow,
  Applied,
  Approval,
  Hit,
  Id,
  JsonValue,
  MessageRow,
  OutboxAct,
  OutboxRow,
  Reply,
  Rows,
  Status,
  Topic,
  TurnEvent,
  WireEvent,
} from '../wire';
import * as cards from './cards';
import { calls, usage } from './costs';
import * as journal from './journal';
import { Models } from './models';
import * as rows from './rows';
import { broken, fault, type Scenario, type WorldOptions } from './scenario';

/** What is told to everyone. */
type Wide = { event: 'changed'; kinds: string[] } | { event: 'progress'; what: string; done: number; total: null };
type Fields = Record<string, JsonValue | undefined>;
const TABLES = { task: 'tasks', note: 'notes', memory: 'memories' } as const;
type Table = (typeof TABLES)[keyof typeof TABLES];

/** A small engine in memory: enough of the real one's behaviour to try the window, and nothing that ships. */
export class World {
  readonly options: WorldOptions;
  tables = structuredClone({
    tasks: rows.tasks,
    notes: rows.notes,
    memories: rows.memories,
    activity: rows.activity,
    events: rows.events,
    outbox: rows.outbox,
    conversations: rows.conversations,
    egress: rows.egress,
  });
  settings = structuredClone(rows.settings);
  readonly models = new Models();
  approvals: Approval[] = [];
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

  changed(...kinds: string[]): void {
    this.tell({ event: 'changed', kinds });
  }

  /** Something that concerns the whole profile. */
  tell(body: Wide): void {
    const event = { ...body, turn: '', seq: 0, conversation: '' } as WireEvent;
    for (const one of [...this.#listeners]) if (one.conversation === null) one.on(event);
  }

  /** How many events each conversation has. */
  lengths(): Map<Id, number> {
    return new Map([...this.#journals].map(([id, log]) => [id, log.length]));
  }

  say(conversation: Id, turn: Id, said: journal.Said): void {
    if (this.#stopped.has(turn) && said.event !== 'interrupted') return;
    const log = this.#journals.get(conversation) ?? [];
    const event = { ...said, conversation, turn, seq: log.length + 1 } as TurnEvent;
    this.#journals.set(conversation, [...log, event]);
    for (const one of [...this.#listeners]) if (one.conversation === conversation) one.on(event);
  }

  /** Ends what runs; everything, or one conversation. Waiting actions stay unless everything is stopped. */
  interrupt(conversation: Id | null): void {
    for (const [id, log] of this.#journals) {
      const last = log.at(-1);
      if (!last || ['done', 'waiting', 'interrupted', 'error'].includes(last.event)) continue;
      if (conversation !== null && id !== conversation) continue;
      this.say(id, last.turn, { event: 'interrupted', results: [] });
      this.#stopped.add(last.turn);
    }
    if (conversation === null) {
      this.approvals = this.approvals.map((one) =>
        ['approved', 'executing'].includes(one.state) ? { ...one, state: 'cancelled' } : one,
      );
      this.changed('approvals');
    }
  }

  #messages(conversation: Id): MessageRow[] {
    const log = this.#journals.get(conversation) ?? [];
    return log.flatMap((event): MessageRow[] => {
      const at = this.#startOf(conversation);
      if (event.event === 'turn_started') return [{ id: event.turn, role: 'user', text: event.text, at }];
      if (event.event === 'done') return [{ id: event.turn, role: 'assistant', text: event.answer, at }];
      return [];
    });
  }

  #startOf(conversation: Id): string {
    return this.tables.conversations.find((one) => one.id === conversation)?.updated ?? this.iso();
  }

  // ---- approvals -----------------------------------------------------------------------------------------------

  approval(id: Id): Approval {
    const found = this.approvals.find((one) => one.id === id);
    if (!found)
      throw new HostFault(fault('not_found', 'There is no such action.', 'Look at Approvals for what waits.'));
    return found;
  }

  put(next: Approval): Approval {
    this.approvals = this.approvals.some((one) => one.id === next.id)
      ? this.approvals.map((one) => (one.id === next.id ? next : one))
      : [next, ...this.approvals];
    this.changed('approvals');
    return next;
  }

  /** Stores a waiting action and tells the conversation. */
  ask(one: Approval): void {
    this.put(one);
    const { id, step, digest, tool, args, shown, risk, sources } = one;
    this.say(one.conversation, one.turn, {
      event: 'approval_needed',
      id,
      step,
      digest,
      tool,
      args,
      shown,
      risk,
      sources,
    });
  }

  async approve(id: Id, digest: string): Promise<{ conversation: Id; turn: Id }> {
    const one = this.approval(id);
    if (one.digest !== digest || one.state !== 'pending' || Date.parse(one.expires) <= this.now()) {
      throw new HostFault(
        fault('stale', 'This changed since it was shown, so nothing was done.', 'Look at the new card.'),
      );
    }
    this.put({ ...one, state: 'executing' });
    this.say(one.conversation, one.turn, { event: 'turn_started', text: '' });
    void this.pause(400).then(() => this.finish(id));
    return one;
  }

  finish(id: Id): void {
    const one = this.approval(id);
    if (one.state !== 'executing') return;
    const mail = one.tool.startsWith('email.');
    const say = mail
      ? 'The mail is saved. No account can send it yet; it goes out once one is connected.'
      : 'Thu 15 Jan, 11:00';
    const effect = this.#did(one.tool, say, id, mail ? null : () => this.changed('events'));
    if (mail) {
      const args = one.args as typeof cards.mailArgs;
      const { to, cc, bcc, subject, body } = args;
      const made = {
        id: this.fresh('o'),
        to,
        cc,
        bcc,
        subject,
        body,
        state: 'queued',
        not_before: null,
        updated: this.iso(),
      };
      this.tables.outbox = [made, ...this.tables.outbox];
      this.changed('outbox');
    }
    this.put({ ...one, state: 'succeeded' });
    this.say(one.conversation, one.turn, {
      event: 'tool_result',
      step: one.step,
      ok: true,
      receipt: effect.receipt ?? {},
    });
    const lines = [journal.line(one.step, one.tool, say)];
    this.say(one.conversation, one.turn, journal.finished(`Done: ${one.shown.title}.`, [one.tool], 42, lines));
  }

  reject(id: Id): { conversation: Id; turn: Id } {
    const one = this.put({ ...this.approval(id), state: 'denied' });
    this.say(one.conversation, one.turn, journal.finished('Nothing was done.', [], 2));
    return one;
  }

  /** A new card in the place of an old one. */
  again(id: Id, args?: JsonValue): { conversation: Id; turn: Id } {
    const old = this.approval(id);
    const next = cards.approval(this.fresh('a'), old.tool, old.shown, this.now(), {
      ...old,
      ...(args === undefined ? {} : cards.rendered(old, args)),
      id: `a-${this.#ids}`,
      state: 'pending',
      turn: this.fresh('turn'),
      minutes: 15,
      expires: new Date(this.now() + 15 * 60_000).toISOString(),
      created: this.iso(),
      digest: this.fresh('d').padEnd(64, '7'),
    });
    if (old.state === 'pending') this.put({ ...old, state: 'superseded', superseded_by: next.id });
    this.say(next.conversation, next.turn, { event: 'turn_started', text: '' });
    this.ask(next);
    this.say(next.conversation, next.turn, {
      event: 'waiting',
      answer: '',
      approvals: [next.id],
      questions: [],
      results: [],
    });
    return next;
  }

  // ---- rows ----------------------------------------------------------------------------------------------------

  async show(
    what: Topic,
    id: Id | null,
    limit: number | null,
    from: string | null = null,
    to: string | null = null,
  ): Promise<Rows> {
    const quiet = what === 'conversations' || (what === 'messages' && id !== 'c-lease');
    if (this.options.scenario === 'loading' && !quiet) await new Promise(() => undefined);
    if (this.options.scenario === 'failing' && !quiet) throw broken();
    const tables: Partial<Record<Topic, { id: Id }[]>> = {
      ...this.tables,
      approvals: this.approvals,
      memories: this.tables.memories.filter((one) => one.valid_to === null || one.id === id),
      past_memories: this.tables.memories.filter((one) => one.valid_to !== null),
      events: this.tables.events.filter((one) => (from === null || one.end > from) && (to === null || one.start <= to)),
      mail: rows.mails,
      contacts: rows.contacts,
    };
    if (what === 'usage' && id === null)
      return { topic: 'usage', list: this.options.scenario === 'empty' ? [] : usage };
    const all = what === 'messages' ? this.#messages(id ?? '') : (tables[what] ?? []);
    const wanted = id === null || what === 'messages' ? all : all.filter((row) => row.id === id);
    if (what === 'usage' && id !== null) return { topic: 'calls', list: calls(id) };
    const topic = what === 'past_memories' ? 'memories' : what;
    return { topic, list: structuredClone(wanted.slice(0, limit ?? undefined)) } as Rows;
  }

  search(text: string, limit: number): Hit[] {
    const wanted = text.toLowerCase();
    const hit = (topic: string, snippet: string) => (row: { id: Id; title: string }) => ({
      topic,
      id: row.id,
      title: row.title,
      snippet,
    });
    const hits: Hit[] = [
      ...this.tables.memories.map((row) => hit('memories', 'memory')({ id: row.id, title: row.value })),
      ...this.tables.notes.map(hit('notes', 'note')),
      ...this.tables.tasks.map(hit('tasks', 'task')),
      ...this.tables.conversations.map(hit('conversations', 'conversation')),
    ];
    return hits.filter((one) => one.title.toLowerCase().includes(wanted)).slice(0, limit);
  }

  status(): Status {
    return {
      profile: 'Work',
      folder: '/home/mara/.local/share/adjutant/work',
      approvals: this.approvals.filter((one) => one.state === 'pending').length,
      next_event: this.tables.events[1]?.summary ?? null,
      missed: this.options.scenario === 'populated' ? ['Call the bank, yesterday 18:00'] : [],
      empty: this.options.scenario === 'first-run',
      owner: 'Mara',
      zone: rows.ZONE,
      now: this.iso(),
    };
  }

  /** Records an effect with its receipt, and the way back if there is one. */
  #did(tool: string, say: string, approval: Id | null, undo: (() => void) | null, args: Fields = {}): ActivityRow {
    const id = this.fresh('r');
    const row: ActivityRow = {
      id,
      at: this.iso(),
      tool,
      args: args as JsonValue,
      outcome: 'succeeded',
      say,
      receipt: rows.receipt(id, tool.split('.')[0] ?? '', `${id}-row`, say, this.iso()),
      undo: undo ? 'available' : null,
      conversation: 'direct',
      turn: this.fresh('turn'),
      approval,
    };
    if (undo) this.#inverse.set(id, undo);
    this.tables.activity = [row, ...this.tables.activity];
    this.changed('activity');
    return row;
  }

  /** A row made by a tool, with its effect. */
  create(tool: string, args: Fields, say: string): ActivityRow {
    const table = TABLES[tool.split('.')[0] as keyof typeof TABLES];
    const list = this.tables[table] as unknown as Fields[];
    const made = { ...this.#blank(table), ...args, id: this.fresh('row') };
    this.#set(table, [made, ...list]);
    return this.#did(tool, say, null, () => this.#set(table, list), args);
  }

  /** What a surface does directly. Deletions stop at a card, as in the real gate. */
  apply(tool: string, args: Fields): Applied {
    if (this.options.scenario === 'failing') {
      return { state: 'failed', fault: fault('store', 'This could not be saved.', 'Free some space, then try again.') };
    }
    const [kind, verb = ''] = tool.split('.');
    if (verb === 'delete' || verb === 'forget') {
      const name = this.#nameOf(args['id']);
      const shown = { ...cards.forgetCard, title: `${verb === 'forget' ? 'Forget' : 'Delete'} “${name}”`, verb };
      const made = cards.approval(this.fresh('a'), tool, shown, this.now());
      this.ask(made);
      return { state: 'approval_needed', id: made.id };
    }
    const table = TABLES[kind as keyof typeof TABLES];
    if (!table) return { state: 'failed', fault: fault('unknown_tool', `${tool} is not a tool.`, '') };
    const list = this.tables[table] as unknown as Fields[];
    const id = args['id'];
    const row = list.find((one) => one['id'] === id);
    if (verb === 'create' || verb === 'store') {
      const say = `“${String(args['title'] ?? args['value'] ?? '')}” is added.`;
      const effect = this.create(tool, args, say);
      const ids = [String((this.tables[table] as { id: Id }[])[0]?.id)];
      return { state: 'done', effect: effect.id, say, output: { count: 1, ids } };
    }
    if (!row) return { state: 'failed', fault: fault('not_found', 'There is nothing with this id.', '') };
    const change = this.#change(verb, row, args);
    this.#set(
      table,
      list.map((one) => (one === row ? { ...one, ...change, id: one['id'] } : one)),
    );
    const say = `“${this.#nameOf(id)}” is ${verb === 'complete' ? 'done' : 'changed'}.`;
    const effect = this.#did(tool, say, null, () => this.#set(table, list), args);
    return { state: 'done', effect: effect.id, say, output: { count: 1, ids: [String(id)] } };
  }

  #nameOf(id: JsonValue | undefined): string {
    const all = [...this.tables.tasks, ...this.tables.notes, ...this.tables.memories, ...this.tables.events];
    const row = all.find((one) => one.id === id) as Fields | undefined;
    return String(row?.['title'] ?? row?.['value'] ?? row?.['summary'] ?? '');
  }

  /** What a tool makes of a row; `changes` of the update tools are the fields themselves, with a few verbs between. */
  #change(verb: string, row: Fields, args: Fields): Fields {
    if (verb === 'complete') return { status: 'done', completed_at: this.iso() };
    if (verb === 'append') return { body: `${String(row['body'])}\n${String(args['text'])}`, updated: this.iso() };
    const changes = { ...((args['changes'] ?? args) as Fields) };
    const tags = (name: string) => (changes[name] ?? []) as string[];
    const made: Fields = {};
    for (const [key, value] of Object.entries(changes)) if (key in row) made[key] = value;
    if (changes['clear_due']) made['due'] = null;
    if (changes['clear_reminder']) made['remind_at'] = null;
    if (changes['reopen']) Object.assign(made, { status: 'open', completed_at: null });
    if ('add_tags' in changes || 'remove_tags' in changes) {
      const kept = (row['tags'] as string[]).filter((tag) => !tags('remove_tags').includes(tag));
      made['tags'] = [...kept, ...tags('add_tags')];
    }
    if ('updated' in row) made['updated'] = this.iso();
    if ('source' in row) made['source'] = 'said';
    return made;
  }

  /** What the person decides about a mail on its way out, as the engine does without an account. */
  outbox(id: Id, act: OutboxAct): Applied {
    const mail = this.tables.outbox.find((one) => one.id === id);
    if (!mail) return { state: 'failed', fault: fault('not_found', 'This mail is not in the outbox any more.', '') };
    if (act === 'check_again') {
      const message = `“${mail.subject}” is not in Sent, and no account is connected that could be asked.`;
      const hint = 'Look in your mail program, or ask the recipient, before sending it again.';
      return { state: 'failed', fault: fault('not_there', message, hint) };
    }
    const say =
      act === 'send_now'
        ? `The hold of “${mail.subject}” is over. No account can send it yet; it goes out once one is connected.`
        : `“${mail.subject}” is a draft again. Nothing was sent.`;
    const put = (next: Partial<OutboxRow>) => {
      this.tables.outbox = this.tables.outbox.map((one) => (one.id === id ? { ...one, ...next } : one));
      this.changed('outbox');
    };
    put(act === 'send_now' ? { state: 'queued' } : { state: 'draft', not_before: null });
    const effect = this.#did(`outbox.${act}`, say, null, () => put(mail));
    return { state: 'done', effect: effect.id, say, output: null };
  }

  useMemory(id: Id, on: boolean): Applied {
    const memory = this.tables.memories.find((one) => one.id === id);
    if (!memory) return { state: 'failed', fault: fault('not_found', 'This is not remembered any more.', '') };
    const put = (valid_to: string | null) => {
      this.tables.memories = this.tables.memories.map((one) => (one.id === id ? { ...one, valid_to } : one));
      this.changed('memories');
    };
    put(on ? null : this.iso());
    const say = on ? `Used again: ${memory.value}` : `Kept, and not used any more: ${memory.value}`;
    const effect = this.#did('memory.use', say, null, () => put(memory.valid_to));
    return { state: 'done', effect: effect.id, say, output: null };
  }

  /** Turns whose end names the memory. */
  memoryUses(id: Id): Extract<Reply, { reply: 'uses' }> {
    const uses = [...this.#journals].flatMap(([conversation, log]) =>
      log.flatMap((event) => {
        if (event.event !== 'done' || !event.used_memories.includes(id)) return [];
        const started = log.find((one) => one.turn === event.turn && one.event === 'turn_started');
        const row = this.tables.conversations.find((one) => one.id === conversation);
        const text = started?.event === 'turn_started' ? started.text : '';
        const at = row?.updated ?? this.iso();
        return [{ turn: event.turn, conversation, title: row?.title ?? '', text, at }];
      }),
    );
    return { reply: 'uses', uses, whole: true };
  }

  undo(id: Id): { conversation: Id; turn: Id } {
    const row = this.tables.activity.find((one) => one.id === id);
    if (!row || row.undo !== 'available') {
      throw new HostFault(fault('no_undo', 'There is no way back for this; nothing was done.', ''));
    }
    this.#inverse.get(id)?.();
    this.tables.activity = this.tables.activity.map((one) => (one === row ? { ...one, undo: 'used' } : one));
    this.changed('activity', 'tasks', 'notes', 'memories');
    const turn = this.fresh('turn');
    this.say('direct', turn, journal.finished(`Undone: ${row.say}`, ['undo'], 3));
    return { conversation: 'direct', turn };
  }

  // ---- making it up --------------------------------------------------------------------------------------------

  #set(table: Table, list: Fields[]): void {
    (this.tables as unknown as Record<Table, Fields[]>)[table] = list;
    this.changed(table);
  }

  #blank(table: Table): Fields {
    const [first] = { tasks: rows.tasks, notes: rows.notes, memories: rows.memories }[table] as unknown as Fields[];
    const empty = Object.fromEntries(
      Object.entries(first ?? {}).map(([key, value]) => [
        key,
        typeof value === 'string' ? '' : Array.isArray(value) ? [] : null,
      ]),
    );
    const known = { status: 'open', priority: 'medium', source: 'said', category: 'fact', confidence: 1, uses: 0 };
    const now = {
      created: this.iso(),
      updated: this.iso(),
      valid_from: this.iso(),
      due: null,
      last_used: null,
      valid_to: null,
    };
    return Object.fromEntries(
      Object.entries({ ...empty, ...known, ...now }).filter(([key]) => key in (first ?? {})),
    ) as Fields;
  }

  #write(conversation: Id, turn: Id, said: journal.Said[]): void {
    for (const one of said) this.say(conversation, turn, one);
  }

  #fill(scenario: Scenario): void {
    if (scenario === 'empty' || scenario === 'first-run') {
      this.tables = {
        tasks: [],
        notes: [],
        memories: [],
        activity: [],
        events: [],
        outbox: [],
        conversations: [],
        egress: [],
      };
      return;
    }
    if (scenario === 'crowded') this.tables.events = rows.crowd();
    const now = this.now();
    const move = cards.approval('a-move', 'calendar.update', cards.moveCard, now, {
      minutes: 14,
      args: cards.moveArgs,
      proposed: cards.moveProposed,
      conversation: 'main',
      turn: 'turn-1',
      step: 'move',
    });
    const mail = { args: cards.mailArgs, sources: cards.mailSources };
    const settled = (id: string, title: string, state: string, hours: number, more: Partial<Approval> = {}) =>
      cards.approval(id, 'email.send', { ...cards.mailCard, title, notes: [] }, now, {
        ...mail,
        state,
        created: new Date(now - hours * 3_600_000).toISOString(),
        expires: new Date(now - (hours - 0.25) * 3_600_000).toISOString(),
        ...more,
      });
    this.approvals =
      scenario === 'one'
        ? [move]
        : [
            cards.approval('a-mail', 'email.reply', cards.mailCard, now, { minutes: 9, ...mail }),
            move,
            cards.approval('a-batch', 'task.delete', cards.batchCard, now, {
              minutes: 12,
              args: cards.batchArgs,
              sources: [],
            }),
            scenario === 'tricky'
              ? cards.approval('a-trick', 'email.send', cards.trickCard, now, { minutes: 13 })
              : cards.approval('a-forget', 'memory.forget', cards.forgetCard, now, { minutes: 13 }),
            settled('a-unknown', 'Invoice to Bergmann AG', 'unknown', 15),
            settled('a-done', 'Mail to Priya Nair', 'succeeded', 1),
            settled('a-expired', 'Cancel “Design sync”', 'expired', 40),
            settled('a-denied', 'Mail to everyone in the team', 'denied', 44),
            settled('a-super', 'Reply to Hannah Voss', 'superseded', 45, { superseded_by: 'a-mail' }),
            settled('a-failed', 'Mail to the old Kelm address', 'failed', 60),
          ];
    if (scenario === 'held') {
      const out = {
        ...cards.mailArgs,
        id: 'o-held',
        state: 'held',
        not_before: new Date(now + 18_000).toISOString(),
        updated: this.iso(),
      };
      this.tables.outbox = [out, ...this.tables.outbox];
      const effect = this.#did('email.send', 'The mail to Hannah goes out in a moment', null, () => {
        this.tables.outbox = this.tables.outbox.filter((one) => one.id !== 'o-held');
        this.changed('outbox');
      });
      effect.receipt = rows.receipt(effect.id, 'outbox', 'o-held', 'Re: Lease renewal', this.iso());
    }
    this.#write('c-lease', 'turn-l1', journal.leaseTurn);
    this.#write('c-bank', 'turn-b1', journal.bankTurn);
    if (scenario === 'failing') this.#write('main', 'turn-f', journal.failedTurn);
    else if (scenario === 'waiting') this.#write('main', 'turn-w', journal.inFlight);
    else this.#write('main', 'turn-1', journal.moveRaj(move));
  }
}
