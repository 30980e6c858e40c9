import {
  faultOf,
  host,
  show,
  type AccountRow,
  type ActivityRow,
  type Approval,
  type ConversationRow,
  type Fault,
  type Id,
  type OutboxRow,
  type Status,
} from '../host';
import { announce } from './announce.svelte';
import { onChanged } from './changes';
import { clock } from './clock.svelte';
import { Newest } from './newest';
import { storage } from './storage.svelte';
import { t } from './strings';
import { millis } from './time';

const RECENT_MAX = 200;
const APPROVALS_MAX = 500;
const EFFECTS_MAX = 500;
/** The parts that load separately, each with its own fault. */
type Part = 'accounts' | 'status' | 'approvals' | 'conversations' | 'outbox' | 'effects';

/**
 * What the whole window needs at any time: status, accounts, approvals, conversations, outbox and effects. Loaded
 * once, then kept up to date.
 */
class Live {
  status = $state.raw<Status | null>(null);
  /** Conversations that are not archived: pinned ones first, then the latest. */
  conversations = $state.raw<ConversationRow[]>([]);
  /** Whether the list of conversations has loaded once. */
  conversationsReady = $state(false);
  approvals = $state.raw<Approval[]>([]);
  /** Whether the list of approvals has loaded once. */
  approvalsReady = $state(false);
  /** Outgoing items: held for a moment, waiting for a connection, or kept in the outbox. */
  outbox = $state.raw<OutboxRow[]>([]);
  effects = $state.raw<ActivityRow[]>([]);
  accounts = $state.raw<AccountRow[]>([]);
  #faults = $state.raw<Partial<Record<Part, Fault>>>({});
  /** The first fault among the parts. */
  fault = $derived(Object.values(this.#faults)[0] ?? null);
  approvalsFault = $derived(this.#faults.approvals ?? null);
  /** Failed parts are loading again. */
  retrying = $state(false);
  #byId = $derived(new Map(this.approvals.map((one) => [one.id, one])));
  #effectById = $derived(new Map(this.effects.map((one) => [one.id, one])));
  #effectByApproval = $derived(new Map(this.effects.flatMap((one) => (one.approval ? [[one.approval, one]] : []))));
  #asked = new Set<Id>();
  #started = false;
  #effectsWanted = false;
  /** For each part, which request is the newest, so that the reply to an older one is dropped. */
  #newest: Record<Part, Newest> = {
    accounts: new Newest(),
    status: new Newest(),
    approvals: new Newest(),
    conversations: new Newest(),
    outbox: new Newest(),
    effects: new Newest(),
  };

  /** The conversation with the latest message. */
  latest = $derived(
    this.conversations.reduce<ConversationRow | null>(
      (best, one) => (best && millis(best.updated) >= millis(one.updated) ? best : one),
      null,
    ),
  );
  /** Held mail, which leaves without any further question. */
  going = $derived(this.outbox.filter((one) => one.state === 'held'));
  waiting = $derived(this.approvals.filter((one) => one.state === 'pending'));
  /** A job runs, or something is approved but not done: what Stop would stop, besides an answer being written. */
  atWork = $derived(
    (this.status?.working ?? null) !== null ||
      this.outbox.some((one) => one.waits !== undefined) ||
      this.approvals.some((one) => one.state === 'approved' || one.state === 'executing'),
  );

  /** An account or an approved action needs a look; what it is, is loaded only then. */
  hasTrouble = $derived(
    this.accounts.some((one) => one.state === 'signed_out' || (one.state === 'ready' && one.problem)) ||
      this.outbox.some((one) => one.waits && one.waits.why !== 'hold'),
  );

  start(): void {
    if (this.#started) return;
    this.#started = true;
    void this.#loadStatus();
    void this.reloadApprovals();
    void this.#loadConversations();
    void this.#loadOutbox();
    void this.#loadAccounts();
    onChanged(['accounts'], () => void this.#loadAccounts());
    onChanged(['settings', 'events', 'tasks', 'jobs'], () => void this.#loadStatus());
    onChanged(['approvals'], () => void this.reloadApprovals());
    onChanged(['conversations'], () => void this.#loadConversations());
    onChanged(['outbox'], () => void this.#loadOutbox());
  }

  /** Forgets all rows, because the data was erased, and loads what is left. */
  async forget(): Promise<void> {
    this.conversations = [];
    this.approvals = [];
    this.outbox = [];
    this.effects = [];
    this.accounts = [];
    await Promise.all([
      this.#loadStatus(),
      this.#loadConversations(),
      this.reloadApprovals(),
      this.#loadOutbox(),
      this.#loadAccounts(),
    ]);
  }

  /** Reloads the parts that failed. */
  async retry(): Promise<void> {
    const loaders: Record<Part, () => Promise<void>> = {
      accounts: () => this.#loadAccounts(),
      status: () => this.#loadStatus(),
      approvals: () => this.reloadApprovals(),
      conversations: () => this.#loadConversations(),
      outbox: () => this.#loadOutbox(),
      effects: () => this.#loadEffects(),
    };
    this.retrying = true;
    await Promise.all((Object.keys(this.#faults) as Part[]).map((part) => loaders[part]()));
    this.retrying = false;
    const { fault } = this;
    if (fault) announce.alert(`${fault.message} ${fault.hint}`);
    else announce.say(t('shell.working'));
  }

  #ended(part: Part, fault: Fault | null): void {
    const { [part]: _, ...others } = this.#faults;
    this.#faults = fault ? { ...others, [part]: fault } : others;
  }

  approval(id: Id): Approval | undefined {
    return this.#byId.get(id);
  }

  /**
   * Loads the action of a card in an old conversation, if the list no longer contains it. That there is none with this
   * id is no fault: its place says so.
   */
  async ensureApproval(id: Id): Promise<void> {
    if (this.#byId.has(id) || this.#asked.has(id)) return;
    this.#asked.add(id);
    try {
      const rows = await show(host, 'approvals', { id });
      // If a list has arrived in the meantime, it is newer.
      if (this.#byId.has(id)) return;
      this.approvals = [...this.approvals, ...rows];
    } catch (thrown) {
      this.#asked.delete(id);
      const fault = faultOf(thrown);
      if (fault.code !== 'not_found') this.#ended('approvals', fault);
    }
  }

  /** The effect with this id. `wantEffects` loads effects on first use and keeps them up to date. */
  effect(id: Id): ActivityRow | undefined {
    return this.#effectById.get(id);
  }
  effectOf(approval: Id): ActivityRow | undefined {
    return this.#effectByApproval.get(approval);
  }
  wantEffects(): void {
    if (this.#effectsWanted) return;
    this.#effectsWanted = true;
    void this.#loadEffects();
    onChanged(['activity', 'outbox'], () => void this.#loadEffects());
    // For tests and windows that start with only some parts.
    if (!this.#started) void this.#loadOutbox();
  }

  async reloadApprovals(): Promise<void> {
    await this.#load(
      'approvals',
      () => show(host, 'approvals', { limit: APPROVALS_MAX }),
      (rows) => {
        const before = this.#byId;
        const listed = new Set(rows.map((one) => one.id));
        // Keep rows that were fetched one by one, unless the list has newer versions.
        this.approvals = [...rows, ...this.approvals.filter((one) => this.#asked.has(one.id) && !listed.has(one.id))];
        for (const row of rows) {
          const old = before.get(row.id);
          if (old) tell(old, row);
          else if (this.approvalsReady && row.state === 'pending') tellWaiting(row);
        }
        this.approvalsReady = true;
      },
    );
  }

  async #loadStatus(): Promise<void> {
    await this.#load(
      'status',
      () => host.call('status', {}),
      ({ status }) => {
        if (status.zone) clock.tz = status.zone;
        clock.face = status.clock;
        clock.dayFirst = status.day_first;
        const now = millis(status.now);
        if (!Number.isNaN(now)) clock.offset_ms = now - Date.now();
        this.status = status;
        if (status.unwritable) storage.told(status.unwritable);
      },
    );
  }

  async #loadConversations(): Promise<void> {
    await this.#load(
      'conversations',
      () => show(host, 'conversations', { limit: RECENT_MAX }),
      (rows) => {
        this.conversations = rows;
        this.conversationsReady = true;
      },
    );
  }

  async #loadOutbox(): Promise<void> {
    await this.#load(
      'outbox',
      () => show(host, 'outbox', { limit: EFFECTS_MAX }),
      (rows) => (this.outbox = rows),
    );
  }

  async #loadAccounts(): Promise<void> {
    await this.#load(
      'accounts',
      () => show(host, 'accounts'),
      (rows) => (this.accounts = rows),
    );
  }

  async #loadEffects(): Promise<void> {
    await this.#load(
      'effects',
      () => show(host, 'activity', { limit: EFFECTS_MAX }),
      (rows) => (this.effects = rows),
    );
  }

  /** Loads one part and keeps its fault. Ignores the outcome if a newer request has begun. */
  async #load<T>(part: Part, ask: () => Promise<T>, take: (answer: T) => void): Promise<void> {
    const current = this.#newest[part].begin();
    try {
      const answer = await ask();
      if (!current()) return;
      take(answer);
      this.#ended(part, null);
    } catch (thrown) {
      if (current()) this.#ended(part, faultOf(thrown));
    }
  }
}

export const live = new Live();

/** The number of values on a card that come from foreign text. */
export function foundCount(approval: Approval): number {
  const { facts, items } = approval.shown;
  return [facts, ...items.map((item) => item.facts ?? [])].flat().filter((fact) => fact.source?.kind === 'found')
    .length;
}

/** Whether a card shows something that comes from others: it marks the value, or warns of it. */
export function showsFound(approval: Approval): boolean {
  const { notes, items } = approval.shown;
  const all = [notes, ...items.map((item) => item.notes ?? [])].flat();
  return foundCount(approval) > 0 || all.some((note) => note.kind === 'untrusted');
}

/** Whether a card shows untrusted text, or such text stood in its conversation before. */
export const isTainted = (approval: Approval): boolean => approval.tainted || showsFound(approval);

export function tellWaiting(approval: Approval): void {
  const title = approval.shown.title;
  const n = foundCount(approval);
  announce.alert(n > 0 ? t('say.waiting_found', { title, n }) : t('say.waiting_clean', { title }), approval.id);
}

/** Announces a change of state once, assertively if it failed or its outcome is unknown. */
function tell(before: Approval, after: Approval): void {
  if (before.state === after.state) return;
  const title = after.shown.title;
  if (after.state === 'succeeded') announce.say(t('ask.say_done', { title }));
  if (after.state === 'failed') announce.alert(t('ask.say_failed', { title }));
  if (after.state === 'unknown') announce.alert(t('ask.say_unknown', { title }));
}
