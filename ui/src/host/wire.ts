/**
 * The objects that cross between engine and window, as CONTRACTS names them. Written by hand until `src/gen` holds the
 * same types generated from the crate `api`; everything imports them from here, so the swap touches this file alone.
 */

/** RFC 3339 with offset, or a plain date where the field says so. */
export type Instant = string;
export type Id = string;

export type Risk =
  'read' | 'local_reversible' | 'local_irreversible' | 'remote_reversible' | 'reaches_people' | 'destroys' | 'spends';

export type SourceKind = 'person' | 'data' | 'step' | 'derived' | 'settings' | 'found';

/** Where a value came from. `detail` is a short phrase ("Your address book", "Mail of 12 Jan"); `open` names the row to show. */
export interface Source {
  kind: SourceKind;
  detail?: string | null;
  open?: { what: ShowKind; id: Id } | null;
}

export type NoteKind = 'untrusted' | 'info' | 'warn';

export interface Fact {
  label: string;
  /** May hold line breaks; `Name <address>` is set apart by the window. Empty means "Nobody" or "None". */
  value: string;
  /** Struck through above the value when this is a change. */
  before?: string | null;
  source?: Source | null;
  mono?: boolean;
  /** JSON pointer into the arguments; present when the person may edit the value. */
  path?: string | null;
}

export interface CardItem {
  id: Id;
  label: string;
  detail?: string | null;
}

export interface Attachment {
  name: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** What an approval shows: rendered by the engine from the stored bytes. */
export interface Card {
  title: string;
  /** Completes "Approve …": "send", "move", "delete". */
  verb: string;
  account?: string | null;
  notes: { kind: NoteKind; text: string; /** Leaving out the value at this pointer. */ path?: string | null }[];
  facts: Fact[];
  items: CardItem[];
  body?: string | null;
  /** JSON pointer of the body, when it may be edited. */
  body_path?: string | null;
  attachments: Attachment[];
  undo: { possible: boolean; text: string };
  digest_line: string;
}

export type ApprovalState =
  | 'pending'
  | 'approved'
  | 'executing'
  | 'succeeded'
  | 'failed'
  | 'unknown'
  | 'denied'
  | 'expired'
  | 'superseded'
  | 'cancelled';

export interface Approval {
  id: Id;
  digest: string;
  tool: string;
  args: unknown;
  shown: Card;
  risk: Risk;
  sources: Record<string, Source>;
  created: Instant;
  expires: Instant;
  state: ApprovalState;
  conversation: Id | null;
  turn: Id | null;
  step?: { number: number; of: number } | null;
  /** A held send: approved, not before this instant. */
  not_before?: Instant | null;
  superseded_by?: Id | null;
  receipt?: Receipt | null;
  error?: Fault | null;
}

export interface Fault {
  code: string;
  message: string;
  /** The next action, one sentence. */
  hint: string;
}

export type Outcome = 'done' | 'partial' | 'unknown' | 'failed' | 'undone';

export interface Receipt {
  id: Id;
  outcome: Outcome;
  /** One line: what, where or when. */
  what: string;
  at: Instant;
  /** True when the result was read back from where it now lives. */
  read_back?: boolean;
  /** `local` runs at once, `reaches_people` opens a card first. */
  undo?: 'local' | 'reaches_people' | null;
  /** One line per recipient or item, for partial success. */
  lines?: string[];
}

export type StepState =
  'next' | 'running' | 'waiting' | 'done' | 'failed' | 'needs_answer' | 'left_out' | 'cancelled' | 'unknown';

export interface PlanStep {
  key: string;
  say: string;
  why?: string | null;
  tool: string;
  status: StepState;
  risk?: Risk;
}

export interface UsedMemory {
  id: Id;
  text: string;
  source: Source;
}

export interface Usage {
  input: number;
  output: number;
  cost_micros: number;
}

/** Everything that can have changed behind a surface. */
export type ShowKind =
  | 'tasks'
  | 'events'
  | 'notes'
  | 'memories'
  | 'mail'
  | 'outbox'
  | 'contacts'
  | 'approvals'
  | 'plans'
  | 'conversations'
  | 'activity';

interface InTurn {
  conversation: Id;
  turn: Id;
  /** Grows by one inside a conversation's journal. */
  seq: number;
  at: Instant;
}

export type TurnEvent =
  | ({ event: 'turn_started'; text: string } & InTurn)
  | ({ event: 'status'; text: string } & InTurn)
  | ({
      event: 'routed';
      type: string;
      domains: string[];
      is_followup: boolean;
      confidence: number;
      by: string;
    } & InTurn)
  | ({ event: 'context'; sections: { name: string; tokens: number; ms: number; problem?: string | null }[] } & InTurn)
  | ({ event: 'plan'; id: Id; request: string; steps: PlanStep[] } & InTurn)
  | ({ event: 'thinking'; text: string } & InTurn)
  | ({ event: 'tool_call'; step: string; tool: string; args: unknown } & InTurn)
  | ({
      event: 'tool_result';
      step: string;
      ok: boolean;
      /** One line for the rail. */
      summary?: string | null;
      result?: unknown;
      error?: Fault | null;
      receipt?: Receipt | null;
      ms?: number;
    } & InTurn)
  | ({
      event: 'approval_needed';
      id: Id;
      step: string;
      digest: string;
      tool: string;
      args: unknown;
      shown: Card;
      risk: Risk;
      sources: Record<string, Source>;
    } & InTurn)
  | ({ event: 'question'; id: Id; step: string; text: string; choices?: string[] | null } & InTurn)
  | ({ event: 'token'; text: string } & InTurn)
  | ({
      event: 'done';
      answer: string;
      results: unknown[];
      used_tools: string[];
      used_memories: UsedMemory[];
      usage: Usage;
      decision: string;
      ms: number;
    } & InTurn)
  | ({ event: 'waiting'; answer: string; approvals: Id[]; questions: Id[]; results: unknown[] } & InTurn)
  | ({ event: 'interrupted'; results: unknown[] } & InTurn)
  | ({ event: 'error' } & Fault & InTurn);

/** Data changed: query again what you show of these kinds. */
export interface Changed {
  event: 'changed';
  kinds: (ShowKind | 'config' | 'status')[];
}

export type WireEvent = TurnEvent | Changed;

export interface ConversationRow {
  id: Id;
  title: string;
  updated: Instant;
}

export interface MemoryRow {
  id: Id;
  category: string;
  key: string;
  value: string;
  source: Source;
  /** The words it was learned from, where they are and when they were said. */
  quote?: { text: string; where: string; at: Instant; conversation?: Id | null } | null;
  confidence: number;
  valid_from: Instant;
  valid_to?: Instant | null;
  /** Set aside until the person decides. */
  quarantined?: boolean;
  uses: number;
  last_used?: Instant | null;
  replaced?: { value: string; until: Instant } | null;
}

export interface TaskRow {
  id: Id;
  title: string;
  notes: string;
  /** With offset, or a date. */
  due?: string | null;
  priority: 'low' | 'normal' | 'high';
  status: 'open' | 'done';
  rrule?: string | null;
  /** The rule in words, as the engine says it. */
  repeats?: string | null;
  completed?: Instant | null;
}

export interface EventRow {
  id: Id;
  uid: string;
  summary: string;
  start: string;
  end: string;
  tz: string;
  location?: string | null;
  attendees: string[];
  rrule?: string | null;
  calendar: string;
}

export interface NoteRow {
  id: Id;
  title: string;
  body: string;
  updated: Instant;
}

export interface ActivityRow {
  id: Id;
  at: Instant;
  tool: string;
  args: unknown;
  /** What happened, in words, and the object it happened to. */
  what: string;
  object: string;
  decided_by: string;
  outcome: Outcome | 'read' | 'refused' | 'answered';
  ms?: number | null;
  cost_micros: number;
  receipt?: Receipt | null;
  undo?: 'local' | 'reaches_people' | null;
  /** Where it went, when something left this machine. */
  egress?: { to: string; reason: string; bytes: number } | null;
}

export interface ContactRow {
  id: Id;
  name: string;
  addresses: string[];
}

export interface MailRow {
  id: Id;
  message_id: string;
  folder: string;
  from: string;
  to: string[];
  subject: string;
  date: Instant;
}

export interface OutboxRow {
  id: Id;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  body: string;
  state: 'draft' | 'held' | 'queued' | 'sent' | 'failed' | 'unknown';
}

/** What each `show` returns. */
export interface Rows {
  tasks: TaskRow;
  events: EventRow;
  notes: NoteRow;
  memories: MemoryRow;
  mail: MailRow;
  outbox: OutboxRow;
  contacts: ContactRow;
  approvals: Approval;
  plans: { id: Id; request: string; steps: PlanStep[]; turn: Id };
  conversations: ConversationRow;
  activity: ActivityRow;
}

export interface Status {
  profile: string;
  profiles: string[];
  /** The person's name from the system account, if it has one. */
  person?: string | null;
  /** The engine's clock and zone: a fixed clock there is a fixed clock here. */
  now: Instant;
  tz: string;
  /** No conversation and no data yet. */
  first_run: boolean;
  /** Bytes on the way to another machine right now. */
  sending: number;
  /** Something the person should know, with what to do. */
  problem?: string | null;
  version: string;
}

export interface Hit {
  what: ShowKind;
  id: Id;
  title: string;
  detail: string;
}

export type ApplyReply =
  | { outcome: 'done'; receipt: Receipt; effect: Id | null }
  | { outcome: 'approval_needed'; id: Id }
  | { outcome: 'failed'; error: Fault };

export interface ImportCount {
  kind: string;
  added: number;
  unchanged: number;
  rejected: { item: string; reason: string }[];
}

/** Every request with its reply. `op` is the tag on the wire. */
export interface Ops {
  ask: { args: { conversation: Id | null; text: string }; reply: { conversation: Id; turn: Id } };
  answer: { args: { question: Id; text: string }; reply: { conversation: Id; turn: Id } };
  approve: { args: { id: Id; digest: string }; reply: Approval };
  reject: { args: { id: Id }; reply: Approval };
  /** A new card with these values; the old one is superseded. A null value leaves the part out; `drop` takes batch items out. */
  edit: {
    args: { id: Id; digest: string; changes: { path: string; value: string | null }[]; drop: Id[] };
    reply: Approval;
  };
  /** A fresh card for one that was rejected or ran out. */
  ask_again: { args: { id: Id }; reply: Approval };
  take_back: { args: { id: Id }; reply: Approval };
  send_now: { args: { id: Id }; reply: Approval };
  /** Looks again whether an unknown outcome happened. */
  check_again: { args: { id: Id }; reply: Approval };
  /** No turn: stop everything, queued and approved actions included. */
  interrupt: { args: { turn: Id | null }; reply: null };
  /** The recorded inverse of one effect; opens a card when it reaches people. */
  undo: { args: { id: Id }; reply: ApplyReply };
  /** The last effect that can be undone, or a held send, for Ctrl Z. */
  undo_last: { args: Record<string, never>; reply: ApplyReply };
  show: {
    args: { what: ShowKind; id?: Id; from?: string; to?: string; limit?: number; before?: Id };
    reply: Rows[ShowKind][];
  };
  /** The newest events of a journal, oldest first, whole turns only; `before_seq` pages back. */
  conversation: {
    args: { id: Id; before_seq?: number; turns: number };
    reply: { id: Id; title: string; events: TurnEvent[]; more: boolean };
  };
  conversation_rename: { args: { id: Id; title: string }; reply: null };
  conversation_delete: { args: { id: Id }; reply: null };
  search: { args: { text: string; limit: number }; reply: Hit[] };
  /** A change the person makes directly on a surface; passes the same gate. */
  apply: { args: { tool: string; args: unknown }; reply: ApplyReply };
  config_get: { args: Record<string, never>; reply: Record<string, unknown> };
  config_set: { args: { key: string; value: unknown }; reply: null };
  import: { args: { paths: string[] }; reply: ImportCount[] };
  export: { args: { dir: string }; reply: { files: number; bytes: number } };
  erase: { args: { confirm: string }; reply: null };
  status: { args: Record<string, never>; reply: Status };
  profile_open: { args: { name: string }; reply: null };
  /** Opens (and fills, the first time) the profile with sample data. */
  sample: { args: Record<string, never>; reply: null };
}

export type Op = keyof Ops;
export type Request = { [K in Op]: { op: K } & Ops[K]['args'] }[Op];
export type Reply<K extends Op> = Ops[K]['reply'];
