import { HostFault } from '../host';
import type {
  CollectionRow,
  GrantRow,
  Hit,
  Id,
  JobRow,
  MailRow,
  MessageRow,
  Only,
  Research,
  Rows,
  Status,
  TaskRow,
  Topic,
} from '../wire';
import { Accounts } from './accounts';
import { Servers } from './servers';
import { calls, usage } from './costs';
import { fill } from './fill';
import { Gate } from './gate';
import { questions } from './grants';
import { Models } from './models';
import { settings } from './recorded';
import * as rows from './rows';
import { listed } from './talks';
import { broken, fault, UNWRITABLE, type WorldOptions } from './scenario';

/** The kind of sender, which the engine derives from the header of a mail. */
const writerOf = (mail: MailRow): MailRow['writer'] =>
  mail.from.startsWith('news@') ? 'list' : mail.from.startsWith('no-reply@') ? 'notice' : 'person';

/** A small engine in memory: enough behaviour to try the window, and never part of a release. */
export class World extends Gate {
  readonly models = new Models();
  readonly accounts = new Accounts();
  /** The secret settings in the keyring. */
  readonly secrets = new Set<string>();
  readonly servers = new Servers(() => this.changed('servers'));
  collections = rows.collections;
  grants: GrantRow[] = [];
  jobs: JobRow[] = structuredClone(rows.jobs);
  research: Research[] = [];

  constructor(options: WorldOptions) {
    super(options);
    fill(this);
  }

  /** Erases everything and restarts every journal; subscriptions continue. */
  erase(): void {
    this.options.scenario = 'first-run';
    this.journals.clear();
    this.approvals = [];
    this.models.connections = [];
    this.settings = structuredClone(settings);
    this.secrets.clear();
    fill(this);
    this.changed(...Object.keys(this.tables), 'approvals', 'mail', 'contacts', 'settings', 'usage');
  }

  /** Chooses the collection for new records of a kind; null means this computer. */
  prefer(kind: CollectionRow['kind'], id: Id | null): CollectionRow[] {
    this.collections = this.collections.map((one) => (one.kind === kind ? { ...one, preferred: one.id === id } : one));
    this.changed('accounts');
    return this.collections;
  }

  async show(
    what: Topic,
    id: Id | null,
    limit: number | null,
    from: string | null = null,
    to: string | null = null,
    only: Only | undefined = undefined,
  ): Promise<Rows> {
    const quiet = what === 'conversations' || (what === 'messages' && id !== 'c-lease');
    if (this.options.scenario === 'loading' && !quiet) await new Promise(() => undefined);
    if (this.options.scenario === 'failing' && !quiet) throw broken();
    // Only the requested table is computed, as in the engine.
    const table = (): { id: Id }[] => {
      switch (what) {
        case 'approvals':
          return this.approvals;
        case 'jobs':
          return this.options.scenario === 'first-run' ? [] : this.jobs;
        case 'memories':
          return this.tables.memories.filter((one) => one.valid_to === null || one.id === id);
        case 'past_memories':
          return this.tables.memories.filter((one) => one.valid_to !== null);
        case 'conversations':
          return listed(this.tables.conversations, id === null ? false : null);
        case 'archived_conversations':
          return listed(this.tables.conversations, true);
        case 'events':
          return this.tables.events.filter(
            (one) =>
              (from === null || one.end > from) &&
              (to === null || one.start.slice(0, to.length) <= to) &&
              (!only?.people || one.attendees.some((guest) => only.people?.includes(guest))),
          );
        case 'tasks':
          return this.#tasks(from, to, only);
        case 'mail':
          return this.#mails(only);
        case 'thread':
          return this.#threadOf(id);
        case 'accounts':
          return this.accounts.rows;
        case 'grants':
          return this.grants;
        case 'questions':
          return this.options.scenario === 'empty' || this.options.scenario === 'first-run' ? [] : questions;
        case 'collections':
          return this.collections;
        case 'research':
          return this.research.map((one) => one.row);
        case 'messages':
          return this.#messages(id ?? '');
        default:
          return (this.tables as Partial<Record<Topic, { id: Id }[]>>)[what] ?? [];
      }
    };
    if (what === 'usage' && id === null)
      return { topic: 'usage', list: this.options.scenario === 'empty' ? [] : usage };
    const all = table();
    const whole = id === null || what === 'messages' || what === 'thread';
    const wanted = whole ? all : all.filter((row) => row.id === id);
    if (id !== null && wanted.length === 0 && (what === 'thread' || what === 'mail' || what === 'contacts')) {
      throw new HostFault(fault('not_found', `“${id}” was not found.`, ''));
    }
    if (what === 'usage' && id !== null) return { topic: 'calls', list: this.#askedModel(id) ? calls(id) : [] };
    const shared = { past_memories: 'memories', thread: 'mail', archived_conversations: 'conversations' } as const;
    const topic = what in shared ? shared[what as keyof typeof shared] : what;
    return { topic, list: wanted.slice(0, limit ?? undefined) } as Rows;
  }

  #tasks(from: string | null, to: string | null, only: Only | undefined): TaskRow[] {
    const done = only?.done;
    const when = (one: TaskRow) => (done === true ? one.completed_at : one.due);
    const inside = (at: string) =>
      (from === null || at.slice(0, from.length) >= from) && (to === null || at.slice(0, to.length) <= to);
    const rows = this.tables.tasks.filter((one) => {
      const at = when(one);
      if (done !== undefined && (one.status === 'done') !== done) return false;
      return (from === null && to === null) || (at !== null && inside(at));
    });
    const place = (one: TaskRow) => `${one.status === 'done' ? 1 : 0} ${one.due ?? '9999'}`;
    return from === null && to === null ? rows : rows.sort((a, b) => (place(a) < place(b) ? -1 : 1));
  }

  #mails(only: Only | undefined): MailRow[] {
    const people = only?.people;
    return this.tables.mail
      .filter((one) => !only?.folder || one.folder === only.folder)
      .filter((one) => !only?.unread || !one.read)
      .filter((one) => !people || [one.from, ...one.to, ...one.cc].some((who) => people.includes(who)))
      .map((one) => ({ one, at: Date.parse(one.date) }))
      .sort((a, b) => b.at - a.at)
      .map(({ one }) => (only?.unread ? { ...one, writer: writerOf(one) } : one));
  }

  #threadOf(id: Id | null): MailRow[] {
    const one = this.tables.mail.find((mail) => mail.id === id);
    if (!one) return [];
    return this.#mails(undefined)
      .filter((mail) => mail.thread === one.thread)
      .reverse();
  }

  search(text: string, limit: number): Hit[] {
    const wanted = text.toLowerCase();
    const hits: Hit[] = [];
    // Stops at the limit without touching further rows, like an index.
    const look = <Row extends { id: Id }>(
      topic: string,
      rows: Row[],
      title: (row: Row) => string,
      more: (row: Row) => string,
    ) => {
      for (const row of rows) {
        if (hits.length >= limit) return;
        if (title(row).toLowerCase().includes(wanted))
          hits.push({ topic, id: row.id, title: title(row), snippet: more(row) });
      }
    };
    const { contacts, mail, memories, notes, tasks } = this.tables;
    look(
      'contacts',
      contacts,
      (row) => row.name,
      (row) => row.organisation,
    );
    look(
      'mail',
      mail,
      (row) => row.subject,
      (row) => row.excerpt,
    );
    look(
      'memories',
      memories,
      (row) => row.value,
      () => 'memory',
    );
    look(
      'notes',
      notes,
      (row) => row.title,
      () => 'note',
    );
    look(
      'tasks',
      tasks,
      (row) => row.title,
      () => 'task',
    );
    return hits;
  }

  status(): Status {
    return {
      profile: 'Work',
      folder: '/home/mara/.local/share/adjutant/work',
      approvals: this.approvals.filter((one) => one.state === 'pending').length,
      next_event: this.tables.events[1]?.summary ?? null,
      missed: this.options.scenario === 'populated' ? ['Call the bank, yesterday 18:00'] : [],
      working: this.jobs.find((one) => one.state === 'running')?.title ?? null,
      empty: this.options.scenario === 'first-run',
      owner: 'Mara',
      zone: rows.ZONE,
      clock: '24h',
      day_first: true,
      now: this.iso(),
      unwritable: this.options.scenario === 'opened-read-only' ? UNWRITABLE : null,
    };
  }

  #askedModel(turn: Id): boolean {
    return (this.turnOf(turn)?.said ?? []).some(
      (event) =>
        (event.event === 'routed' && event.by !== 'embedded') ||
        (event.event === 'done' && event.usage.input + event.usage.output > 0),
    );
  }

  #messages(conversation: Id): MessageRow[] {
    const log = this.journals.get(conversation) ?? [];
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
}
