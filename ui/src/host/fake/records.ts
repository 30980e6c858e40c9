import { HostFault } from '../host';
import type {
  ActivityRow,
  Applied,
  Approval,
  EventRow,
  Id,
  JsonValue,
  MailRow,
  OutboxAct,
  OutboxRow,
  Reply,
} from '../wire';
import { changed, made as calendarRow, sayOf } from './calendar';
import * as cards from './cards';
import { finished } from './journal';
import { Log } from './log';
import { settings } from './recorded';
import * as rows from './rows';
import { fault } from './scenario';

type Fields = Record<string, JsonValue | undefined>;
const TABLES = { task: 'tasks', note: 'notes', memory: 'memories', calendar: 'events', contact: 'contacts' } as const;
/** One request may change this many rows; more need an approval. */
const BULK_MAX = 20;
/** A mail on its way out, as a tool's output. */
const outgoing = (mail: OutboxRow, state: OutboxRow['state'], date: string) => {
  const people = (emails: string[]) => emails.map((email) => ({ email, name: '' }));
  const item = {
    attachments: [],
    bcc: people(mail.bcc),
    cc: people(mail.cc),
    date,
    folder: 'outbox',
    from: { email: 'mara@northwind.example', name: 'Mara Lindqvist' },
    id: mail.id,
    labels: [],
    message_id: `${mail.id}@northwind.example`,
    size: mail.body.length,
    starred: false,
    state,
    subject: mail.subject,
    to: people(mail.to),
    unread: false,
  };
  return { ...item, count: 1, ids: [mail.id], items: [item] };
};
/** The output of a tool that creates or changes rows. */
const gave = (...made: unknown[]) =>
  ({
    count: made.length,
    total: made.length,
    ids: made.map((row) => String((row as { id?: Id } | undefined)?.id)),
    items: made,
  }) as JsonValue;

type Table = (typeof TABLES)[keyof typeof TABLES];

/** The stored rows and the tools that change them, each with its receipt and its inverse. */
export abstract class Records extends Log {
  tables = structuredClone({
    tasks: rows.tasks,
    notes: rows.notes,
    memories: rows.memories,
    activity: rows.activity,
    events: rows.events,
    outbox: rows.outbox,
    mail: rows.mails,
    contacts: rows.contacts,
    conversations: rows.conversations,
    egress: rows.egress,
    imports: rows.imports,
    plans: rows.plans,
  });
  settings = structuredClone(settings);
  #inverse = new Map<Id, () => void>();

  /** Stores a waiting action and tells the conversation. */
  abstract ask(one: Approval): void;

  /** Whether the person wants to approve every change. */
  asksAlways(): boolean {
    return this.settings.find((one) => one.key === 'ask_always')?.value === 'true';
  }

  /** Records an effect with its receipt, and its inverse if there is one. */
  did(tool: string, say: string, approval: Id | null, undo: (() => void) | null, args: Fields = {}): ActivityRow {
    const id = this.fresh('r');
    const row: ActivityRow = {
      id,
      at: this.iso(),
      tool,
      args: args as JsonValue,
      outcome: 'succeeded',
      say,
      receipt: rows.receipt(id, tool.split('.')[0] ?? '', `${id}-row`, rows.labelIn(say), this.iso()),
      undo: undo ? 'available' : null,
      conversation: 'direct',
      turn: this.fresh('turn'),
      approval,
      grant: null,
    };
    if (undo) this.#inverse.set(id, undo);
    this.tables.activity = [row, ...this.tables.activity];
    this.changed('activity');
    return row;
  }

  /** Creates a row through a tool, and records the effect. */
  create(tool: string, args: Fields, say: string): ActivityRow {
    const table = TABLES[tool.split('.')[0] as keyof typeof TABLES];
    const list = this.tables[table] as unknown as Fields[];
    const id = this.fresh('row');
    const said = table === 'memories' ? { statement: args['value'] } : {};
    const made =
      table === 'events'
        ? (calendarRow(id, args) as unknown as Fields)
        : { ...this.#blank(table), ...args, ...said, id };
    this.#set(table, [made, ...list]);
    return this.did(tool, say, null, () => this.#set(table, list), args);
  }

  /** An action by hand. Many rows at once need an approval, and so does everything if the person wants that. */
  apply(tool: string, args: Fields): Applied {
    if (this.options.scenario === 'failing') {
      return { state: 'failed', fault: fault('store', 'This could not be saved.', 'Free some space, then try again.') };
    }
    const [kind, verb = ''] = tool.split('.');
    const ids = (args['ids'] ?? [args['id']]) as string[];
    const removes = verb === 'delete' || verb === 'forget';
    if (ids.length > BULK_MAX || this.asksAlways()) {
      const name = this.#nameOf(ids[0]);
      const shown = { ...cards.forgetCard, title: `${verb === 'forget' ? 'Forget' : 'Delete'} “${name}”`, verb };
      const made = cards.approval(this.fresh('a'), tool, shown, this.now());
      this.ask(made);
      return { state: 'approval_needed', id: made.id };
    }
    if (verb === 'respond' && args['mail']) {
      const shown = { ...cards.moveCard, title: 'Answer the invitation', verb: 'Answer' };
      const made = cards.approval(this.fresh('a'), tool, shown, this.now());
      this.ask(made);
      return { state: 'approval_needed', id: made.id };
    }
    if (kind === 'email') return this.#mail(verb, args);
    const table = TABLES[kind as keyof typeof TABLES];
    if (!table) return { state: 'failed', fault: fault('unknown_tool', `${tool} is not a tool.`, '') };
    const list = this.tables[table] as unknown as Fields[];
    // Here a series has only one instance.
    const wanted = ids.map((id) => String(id).split('@')[0]);
    const id = wanted[0];
    const row = list.find((one) => one['id'] === id);
    if (verb === 'create' || verb === 'store') {
      const say = `“${String(args['title'] ?? args['value'] ?? args['summary'] ?? '')}” is added.`;
      const effect = this.create(tool, args, say);
      const made = (this.tables[table] as { id: Id }[])[0];
      return { state: 'done', effect: effect.id, say, output: gave(made) };
    }
    if (!row) return { state: 'failed', fault: fault('not_found', 'There is nothing with this id.', '') };
    const name = wanted.length > 1 ? `${wanted.length} ${table}` : `“${this.#nameOf(id)}”`;
    const isMeant = (one: Fields) => wanted.includes(String(one['id']));
    this.#set(
      table,
      removes
        ? list.filter((one) => !isMeant(one))
        : list.map((one) => (isMeant(one) ? { ...one, ...this.#change(verb, one, args), id: one['id'] } : one)),
    );
    const say = `${name} ${wanted.length > 1 ? 'are' : 'is'} ${removes ? 'deleted' : verb === 'complete' ? 'done' : 'changed'}.`;
    const effect = this.did(tool, say, null, () => this.#set(table, list), args);
    const after = (this.tables[table] as unknown as Fields[]).filter(isMeant);
    return { state: 'done', effect: effect.id, say, output: gave(...(removes ? list.filter(isMeant) : after)) };
  }

  /** Deletes mails and drafts on this computer; Undo restores them. */
  #deleteMail(ids: readonly string[], args: Fields): Applied {
    const { mail, outbox } = this.tables;
    const put = (tables: Pick<typeof this.tables, 'mail' | 'outbox'>) => {
      Object.assign(this.tables, tables);
      this.changed('mail', 'outbox');
    };
    put({
      mail: mail.filter((one) => !ids.includes(one.id)),
      outbox: outbox.filter((one) => !ids.includes(one.id)),
    });
    const effect = this.did('email.delete', `Deleted ${ids.length}.`, null, () => put({ mail, outbox }), args);
    return { state: 'done', effect: effect.id, say: effect.say, output: { count: ids.length, ids: [...ids] } };
  }

  /** A button in Mail: marking, moving and deleting happen at once; anything that leaves goes through a card. */
  #mail(verb: string, args: Fields): Applied {
    const ids = [args['ids'] ?? args['id']].flat();
    const labels = (name: string) => (args[name] ?? []) as string[];
    const labelled = (mail: MailRow) => [
      ...new Set([...mail.labels.filter((one) => !labels('remove').includes(one)), ...labels('add')]),
    ];
    const change: Partial<MailRow> | null =
      verb === 'mark'
        ? {
            ...(typeof args['read'] === 'boolean' && { read: args['read'] }),
            ...(typeof args['starred'] === 'boolean' && { starred: args['starred'] }),
          }
        : verb === 'archive'
          ? { folder: (args['into'] ?? 'archive') as MailRow['folder'] }
          : verb === 'label'
            ? {}
            : null;
    if (change === null) {
      if (verb === 'draft') {
        const id = String(args['draft'] ?? this.fresh('out'));
        const people = (name: string) => (args[name] ?? []) as string[];
        const draft: OutboxRow = {
          ...{ id, to: people('to'), cc: people('cc'), bcc: people('bcc'), state: 'draft', not_before: null },
          ...{ subject: String(args['subject'] ?? ''), body: String(args['body'] ?? ''), updated: this.iso() },
        };
        const answered = this.tables.mail.find((one) => one.id === args['in_reply_to']);
        if (answered) draft.in_reply_to = answered.message_id;
        this.tables.outbox = [draft, ...this.tables.outbox.filter((one) => one.id !== id)];
        this.changed('outbox');
        const effect = this.did('email.draft', 'Draft saved. Nothing was sent.', null, null, args);
        return { state: 'done', effect: effect.id, say: effect.say, output: { count: 1, ids: [id] } };
      }
      if (verb === 'delete') return this.#deleteMail(ids as string[], args);
      const made = cards.approval(this.fresh('a'), `email.${verb}`, cards.mailCard, this.now());
      this.ask(made);
      return { state: 'approval_needed', id: made.id };
    }
    const before = this.tables.mail;
    const put = (list: MailRow[]) => {
      this.tables.mail = list;
      this.changed('mail');
    };
    put(before.map((one) => (ids.includes(one.id) ? { ...one, labels: labelled(one), ...change } : one)));
    const say = verb === 'archive' ? `Moved ${ids.length} to ${change.folder}.` : `Marked ${ids.length}.`;
    const effect = this.did(`email.${verb}`, say, null, () => put(before), args);
    return { state: 'done', effect: effect.id, say, output: { count: ids.length, ids: ids as string[] } };
  }

  #nameOf(id: JsonValue | undefined): string {
    const all = [...this.tables.tasks, ...this.tables.notes, ...this.tables.memories, ...this.tables.events];
    const row = all.find((one) => one.id === id) as Fields | undefined;
    return String(row?.['title'] ?? row?.['value'] ?? row?.['summary'] ?? '');
  }

  /** The changed fields of a row. For update tools, `changes` holds the fields, plus a few verbs such as `reopen`. */
  #change(verb: string, row: Fields, args: Fields): Fields {
    if ('summary' in row)
      return changed(row as unknown as EventRow, (args['changes'] ?? {}) as Fields) as unknown as Fields;
    if (verb === 'complete') return { status: 'done', completed_at: this.iso() };
    if (verb === 'append') return { body: `${String(row['body'])}\n${String(args['text'])}`, updated: this.iso() };
    const changes = { ...((args['changes'] ?? args) as Fields) };
    const tags = (name: string) => (changes[name] ?? []) as string[];
    const made: Fields = {};
    for (const [key, value] of Object.entries(changes)) if (key in row) made[key] = value;
    if (changes['clear_due']) made['due'] = null;
    if (changes['clear_reminder']) made['remind_at'] = null;
    if (changes['clear_start']) made['start'] = null;
    if (changes['in_order']) made['place'] = (args['ids'] as string[]).indexOf(String(row['id'])) + 1;
    if ('due' in made) made['place'] = null;
    if ('rrule' in changes) made['repeats'] = sayOf(String(changes['rrule']));
    if (changes['clear_rrule']) Object.assign(made, { rrule: null, repeats: null });
    if (changes['reopen']) Object.assign(made, { status: 'open', completed_at: null });
    if ('add_tags' in changes || 'remove_tags' in changes) {
      const kept = (row['tags'] as string[]).filter((tag) => !tags('remove_tags').includes(tag));
      made['tags'] = [...kept, ...tags('add_tags')];
    }
    if ('updated' in row) made['updated'] = this.iso();
    if ('source' in row) Object.assign(made, { source: 'said', statement: made['value'] ?? row['statement'] });
    return made;
  }

  /** The person's decision about a mail on its way out, as the engine handles it without an account. */
  outbox(id: Id, act: OutboxAct): Applied {
    const mail = this.tables.outbox.find((one) => one.id === id);
    if (!mail) return { state: 'failed', fault: fault('not_found', 'This mail is no longer in the outbox.', '') };
    if (act === 'check_again') {
      const message = `“${mail.subject}” is not in Sent, and there is no connected account to ask.`;
      if (mail.state !== 'unknown') {
        const known = `Only a mail that may have left can be checked, and “${mail.subject}” is not one; nothing was done.`;
        return { state: 'failed', fault: fault('not_unknown', known, 'Approvals shows how far it is.') };
      }
      const hint = 'Look in your mail program, or ask the recipient, before sending it again.';
      return { state: 'failed', fault: fault('not_there', message, hint) };
    }
    const say =
      act === 'send_now'
        ? `Saved: “${mail.subject}”. No account can send it yet.`
        : mail.waits
          ? `Taken back, nothing was sent: “${mail.subject}”. It is a draft again.`
          : `“${mail.subject}” is a draft again. Nothing was sent.`;
    const put = (next: OutboxRow) => {
      this.tables.outbox = this.tables.outbox.map((one) => (one.id === id ? next : one));
      this.changed('outbox');
    };
    const { waits, ...rest } = mail;
    put({ ...rest, state: act === 'send_now' ? 'queued' : 'draft', not_before: null });
    const effect = this.did(`outbox.${act}`, say, null, waits ? null : () => put(mail));
    const state = act === 'send_now' ? 'queued' : 'draft';
    return { state: 'done', effect: effect.id, say, output: outgoing(mail, state, `${this.iso()}[America/New_York]`) };
  }

  useMemory(id: Id, on: boolean): Applied {
    const memory = this.tables.memories.find((one) => one.id === id);
    if (!memory) return { state: 'failed', fault: fault('not_found', 'This is no longer remembered.', '') };
    const put = (valid_to: string | null) => {
      this.tables.memories = this.tables.memories.map((one) => (one.id === id ? { ...one, valid_to } : one));
      this.changed('memories');
    };
    put(on ? null : this.iso());
    const say = on ? `Used again: ${memory.value}` : `Kept, but no longer used: ${memory.value}`;
    const effect = this.did('memory.use', say, null, () => put(memory.valid_to));
    return { state: 'done', effect: effect.id, say, output: { say } };
  }

  /** The turns that used the memory, by their last event. */
  memoryUses(id: Id): Extract<Reply, { reply: 'uses' }> {
    const uses = [...this.journals].flatMap(([conversation, log]) =>
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
      throw new HostFault(fault('no_undo', 'This cannot be undone; nothing was done.', ''));
    }
    this.#inverse.get(id)?.();
    this.tables.activity = this.tables.activity.map((one) => (one === row ? { ...one, undo: 'used' } : one));
    this.changed('activity', 'tasks', 'notes', 'memories', 'events');
    const turn = this.fresh('turn');
    this.say('direct', turn, finished(`Undone: ${row.say}`, ['undo'], 3));
    return { conversation: 'direct', turn };
  }

  #set(table: Table, list: Fields[]): void {
    (this.tables as unknown as Record<Table, Fields[]>)[table] = list;
    this.changed(table);
  }

  #blank(table: Table): Fields {
    const { tasks, notes, memories, events, contacts } = rows;
    const all = { tasks, notes, memories, events, contacts };
    const [first] = all[table] as unknown as Fields[];
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
}
