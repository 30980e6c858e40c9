import type { ActivityRow, Approval, EgressRow, ImportRow, JsonValue, PlanRow, Risk, Topic } from '../../host';
import { t, type PlainKey } from '../../kit/strings';
import '../../kit/strings/en/activity';
import { millis } from '../../kit/time';
import { canUndo } from '../../kit/undo';

export const SHOWN = ['all', 'effects', 'egress'] as const;
export type Shown = (typeof SHOWN)[number];

/**
 * One line of the log: an effect, an egress entry, an import, a request that only read, or an action that was not done.
 */
export type Line =
  | { kind: 'effect'; id: string; at: string; effect: ActivityRow }
  | { kind: 'egress'; id: string; at: string; egress: EgressRow }
  | { kind: 'import'; id: string; at: string; file: ImportRow }
  | { kind: 'read'; id: string; at: string; plan: PlanRow }
  | { kind: 'refused'; id: string; at: string; approval: Approval };

/** The states of an action that was never carried out, each with its message. */
const REFUSED: Partial<Record<Approval['state'], PlainKey>> = {
  denied: 'activity.denied',
  expired: 'activity.expired',
  cancelled: 'activity.cancelled',
};
export const refusedText = (approval: Approval): string => t(REFUSED[approval.state] ?? 'activity.cancelled');

/** The rows the log is built from. */
export interface Logs {
  effects: readonly ActivityRow[];
  egress: readonly EgressRow[];
  approvals?: readonly Approval[];
  imports?: readonly ImportRow[];
  plans?: readonly PlanRow[];
}

/**
 * The plans of turns that only read. A turn with an effect or an approval is left out: those have their own lines. A
 * tool with unknown risk does not count as a read.
 */
export function reads(logs: Logs, risk: (tool: string) => Risk | null): PlanRow[] {
  const more = new Set([...logs.effects, ...(logs.approvals ?? [])].map((one) => one.turn));
  return (logs.plans ?? []).filter((plan) => {
    const done = plan.steps.filter((step) => step.status === 'done');
    return done.length > 0 && !more.has(plan.turn) && done.every((step) => risk(step.tool) === 'read');
  });
}

/** Imports are numbered per log, so their id gets a prefix to be unique among all lines. */
const importId = (row: ImportRow): string => `import-${row.id}`;

/** Without rejections: those changed nothing, and the action stands among everything, as refused. */
const changes = (effects: readonly ActivityRow[]): ActivityRow[] =>
  effects.filter((effect) => effect.outcome !== 'denied');

/** Newest first. A refused action stands at the time it was created or, if it expired, at the time it expired. */
export function lines(logs: Logs, shown: Shown, risk: (tool: string) => Risk | null = () => null): Line[] {
  const { effects, egress, approvals = [], imports = [] } = logs;
  const all: Line[] = [];
  if (shown !== 'egress') {
    all.push(...changes(effects).map((effect): Line => ({ kind: 'effect', id: effect.id, at: effect.at, effect })));
    all.push(...imports.map((file): Line => ({ kind: 'import', id: importId(file), at: file.at, file })));
  }
  if (shown !== 'effects') {
    all.push(...egress.map((one): Line => ({ kind: 'egress', id: one.id, at: one.at, egress: one })));
  }
  if (shown === 'all') {
    all.push(...reads(logs, risk).map((plan): Line => ({ kind: 'read', id: plan.id, at: plan.at, plan })));
    // An approved action that ended without being carried out has an effect that says so.
    const told = new Set(changes(effects).map((effect) => effect.approval));
    const refused = approvals.filter((one) => one.state in REFUSED && !told.has(one.id));
    all.push(
      ...refused.map((approval): Line => ({
        kind: 'refused',
        id: approval.id,
        at: approval.state === 'expired' ? approval.expires : approval.created,
        approval,
      })),
    );
  }
  return all.sort((a, b) => millis(b.at) - millis(a.at));
}

const COUNTED = {
  tasks: 'activity.in_tasks',
  events: 'activity.in_events',
  notes: 'activity.in_notes',
  contacts: 'activity.in_contacts',
  mail: 'activity.in_mail',
  outbox: 'activity.in_outbox',
  memories: 'activity.in_memories',
} as const;
/** What an import added, counted by kind, or that nothing in the file was new. */
export function broughtText(file: ImportRow): string {
  const added = file.counts.flatMap((one) => {
    const known = Object.hasOwn(COUNTED, one.topic) && one.added > 0;
    return known ? [t(COUNTED[one.topic as keyof typeof COUNTED], { n: one.added })] : [];
  });
  const changed = file.counts.reduce((sum, one) => sum + one.changed, 0);
  const same = file.counts.reduce((sum, one) => sum + one.same, 0);
  const all = [
    ...added,
    ...(changed > 0 ? [t('activity.in_changed', { n: changed })] : []),
    ...(added.length === 0 && changed === 0 && same > 0 ? [t('activity.in_same', { n: same })] : []),
    ...(file.refused > 0 ? [t('activity.in_refused', { n: file.refused })] : []),
  ];
  return all.length > 0 ? all.join(', ') : t('activity.in_nothing');
}

export type Phase = 'done' | 'undone' | 'partly' | 'failed' | 'unknown';
export function phaseOf(effect: ActivityRow): Phase {
  if (effect.outcome === 'failed' || effect.outcome === 'denied') return 'failed';
  if (effect.outcome === 'unknown') return 'unknown';
  if (effect.undo === 'used') return 'undone';
  return effect.undo === 'partly' || effect.undo === 'partly_changed' ? 'partly' : 'done';
}

/** Who decided that this was done. What was done at once says whether it can be undone only while it can. */
export function decidedText(effect: ActivityRow): string {
  if (effect.grant) return t('activity.by_grant');
  if (effect.approval) return t('activity.by_you');
  if (effect.conversation === 'background') return t('activity.by_background');
  if (effect.conversation === 'direct') return t('activity.by_direct');
  if (canUndo(effect.undo)) return t('activity.by_rule');
  return effect.undo === 'changed' || effect.undo === 'partly_changed'
    ? t('activity.by_rule_changed')
    : t('activity.by_rule_done');
}

/** Why this entry cannot be undone; null if it can. */
export function noUndoText(line: Line): string | null {
  if (line.kind !== 'effect') return t('activity.no_undo_here');
  const { undo } = line.effect;
  if (canUndo(undo)) return null;
  if (undo === 'used') return t('activity.no_undo_used');
  return undo === null ? t('activity.no_undo') : t('activity.no_undo_changed');
}

/** The effect that this one undid. */
export function undoneBy({ tool, args }: ActivityRow): string | null {
  if (tool !== 'undo' || args === null || typeof args !== 'object' || Array.isArray(args)) return null;
  return typeof args['effect'] === 'string' ? args['effect'] : null;
}

const TOPICS: Record<string, Topic> = {
  task: 'tasks',
  event: 'events',
  note: 'notes',
  memory: 'memories',
  mail: 'mail',
  outbox: 'outbox',
  contact: 'contacts',
};
/** The topic to read a record of this kind from. */
export function topicOf(kind: string): Topic | null {
  return TOPICS[kind] ?? null;
}
export const SURFACES: Record<string, string> = {
  task: 'tasks',
  event: 'today',
  note: 'notes',
  memory: 'memory',
  mail: 'mail',
  contact: 'contacts',
  outbox: 'approvals',
};

/**
 * Arguments that name the target instead of a new value, and the recurrence rule, which the sentence already states.
 */
const NAMING = new Set(['id', 'ids', 'target', 'scope', 'instance', 'pick', 'rrule', 'effect']);

/** The labels of tool arguments; an argument that is not listed shows its own name. */
const FIELDS: Record<string, PlainKey> = {
  title: 'field.title',
  due: 'field.due',
  remind_at: 'field.remind_at',
  notes: 'field.notes',
  body: 'field.body',
  priority: 'field.priority',
  tags: 'field.tags',
  add_tags: 'field.add_tags',
  remove_tags: 'field.remove_tags',
  rrule: 'field.rrule',
  status: 'field.status',
  value: 'field.value',
  key: 'field.key',
  category: 'field.category',
  summary: 'field.summary',
  start: 'field.start',
  end: 'field.end',
  location: 'field.location',
  description: 'field.description',
  attendees: 'field.attendees',
  to: 'field.to',
  cc: 'field.cc',
  bcc: 'field.bcc',
  subject: 'field.subject',
  text: 'field.text',
  clear_due: 'field.clear_due',
  clear_reminder: 'field.clear_reminder',
  reopen: 'field.reopen',
  duration_minutes: 'field.duration_minutes',
  all_day: 'field.all_day',
  calendar: 'field.calendar',
};

export function fieldText(field: string): string {
  const key = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
  return key ? t(key) : field.replaceAll('_', ' ');
}

export interface Asked {
  field: string;
  asked: string;
  /** The stored value; null when the row has no such field. */
  stored: string | null;
  same: boolean;
}

/** An internal id, which says nothing to a person. */
const ID = /^[a-z]+_[0-9a-z]{12}$/;

/** Each requested argument next to the stored value. */
export function compare(args: JsonValue, row: Record<string, JsonValue> | null): Asked[] {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return [];
  const changes = args['changes'];
  const nested = changes !== null && typeof changes === 'object' && !Array.isArray(changes) ? changes : {};
  const flat = { ...args, ...nested };
  return Object.entries(flat).flatMap(([field, value]): Asked[] => {
    if (value === null || value === undefined || field === 'changes' || NAMING.has(field)) return [];
    const stored = row !== null && field in row ? plain(row[field] ?? null) : null;
    const asked = plain(value);
    if (ID.test(asked)) return [];
    return [{ field, asked, stored, same: stored !== null && equal(asked, stored) }];
  });
}

export function plain(value: JsonValue): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(plain).join(', ');
  if (typeof value === 'object') {
    return Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined)
      .map(([key, one]) => `${key}: ${plain(one ?? null)}`)
      .join(', ');
  }
  return String(value);
}

/** Matches text that starts like an instant. */
export const INSTANT = /^\d{4}-\d{2}-\d{2}T/;
function equal(a: string, b: string): boolean {
  if (a.trim() === b.trim()) return true;
  // The same instant may be written in two time zones.
  return INSTANT.test(a) && INSTANT.test(b) && millis(a) === millis(b);
}
