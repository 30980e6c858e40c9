import type { Approval, JsonValue } from '../../host';
import { bracketed } from './shown';

type Fields = { [key: string]: JsonValue | undefined };

/** One argument of an action that the person may edit as text. */
export interface Field {
  key: string;
  /** A list, edited as one entry per line. */
  list: boolean;
  long: boolean;
  text: string;
  /** Entries of the list by the line that shows them, where the card words them in another way. */
  known?: ReadonlyMap<string, string>;
  /** The engine made the value: the arguments do not have it. */
  made?: boolean;
}

/** Arguments that refer to records or that the engine chooses; editing them by hand makes no sense. */
const POINTERS =
  /(^|_)(id|ids|uid|uids|ref|event|task|mail|note|memory|message|thread|instance|calendar|account|draft)$|^in_reply_to$|^forward_of$/;
/** Recipients and guests, which may be left out entirely. */
const OPTIONAL = new Set(['cc', 'bcc', 'attendees', 'guests']);
const LONG = new Set(['body', 'text', 'notes', 'description', 'content']);

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The usual order of a mail's fields; other arguments follow. */
const ORDER = ['to', 'cc', 'bcc', 'subject', 'body'];
/** Fields a mail can have even if the call does not set them. A stored draft has its own, so it gets none of these. */
const MORE: Record<string, Fields> = {
  'email.send': { to: [], cc: [], bcc: [], subject: '' },
  'email.reply': { cc: [], bcc: [] },
};
const place = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);

/**
 * Converts arguments into fields, in the order in which people fill them in; empty for several calls, or without text
 * arguments.
 */
export function fieldsOf(args: JsonValue, tool: string): Field[] {
  if (!isFields(args)) return [];
  const more = given(args)['draft'] === undefined ? (MORE[tool] ?? {}) : {};
  const entries = Object.entries({ ...more, ...given(args) }).sort(([a], [b]) => place(a) - place(b));
  return entries.flatMap(([key, value]): Field[] => {
    if (POINTERS.test(key)) return [];
    if (typeof value === 'string')
      return [{ key, list: false, long: LONG.has(key) || value.includes('\n'), text: value }];
    // An answer to a question is nested as a list of its own: flatten it.
    const lines = Array.isArray(value) ? value.flat() : null;
    if (lines?.every((one) => typeof one === 'string')) {
      return [{ key, list: true, long: lines.length > 1, text: lines.join('\n') }];
    }
    return [];
  });
}

const given = (args: Fields): Fields =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined));

/** The complete arguments, with the fields applied. */
export function withFields(args: JsonValue, fields: Field[]): JsonValue {
  if (!isFields(args)) return args;
  const next: Fields = { ...args };
  for (const { key, list, text, known } of fields) next[key] = list ? entriesIn(text, known) : text;
  return next as JsonValue;
}

/** One entry per line; commas and semicolons divide entries too, except inside a person as the card words them. */
function entriesIn(text: string, known: Field['known']): string[] {
  return text
    .split('\n')
    .flatMap((line) => known?.get(line.trim()) ?? bracketed(line) ?? line.split(/[,;]/))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** The arguments of one of several calls; null unless the card shows each call as one item. */
export function callAt({ args, shown }: Approval, at: number): JsonValue | null {
  if (!Array.isArray(args) || args.length !== shown.items.length) return null;
  return args[at] ?? null;
}

/** Arguments that say which records a call is about: by reference or by description. */
const WHICH = ['id', 'ids', 'target'] as const;

/**
 * Whether single items can be removed: only from one call that says which records it is about. Several calls on one
 * card are approved or rejected together, and edited one by one (`callAt`).
 */
export function canDropItems({ args, shown }: Approval): boolean {
  return shown.items.length > 1 && isFields(args) && WHICH.some((key) => args[key] !== undefined && args[key] !== null);
}

/** The arguments of a call without the items at these indexes: the remaining references. */
export function withoutItems({ args, shown }: Approval, out: ReadonlySet<number>): JsonValue {
  if (!isFields(args)) return args;
  const { id, ids, target: _, ...rest } = args;
  const named = [id, ids].flatMap((one) => (typeof one === 'string' || Array.isArray(one) ? one : []));
  const dropped = new Set<JsonValue>([...out].flatMap((at) => shown.items[at]?.id ?? []));
  const left = named.filter((one) => !dropped.has(one));
  // The call may name a series or a description where the card lists instances: then use the items of the card.
  const remaining =
    named.length - left.length === out.size
      ? left
      : shown.items.flatMap((item, place) => (out.has(place) ? [] : [item.id]));
  return { ...rest, ids: remaining } as JsonValue;
}

/**
 * The arguments without the values found in foreign text, where the action makes sense without them. Null if there are
 * none to leave out.
 */
export function withoutFound(approval: Approval): JsonValue | null {
  const { args, sources } = approval;
  if (!isFields(args) || !isFields(sources)) return null;
  const found = Object.entries(sources).flatMap(([pointer, source]) =>
    isFields(source) && source['kind'] === 'untrusted' ? [pointer.split('/').slice(1)] : [],
  );
  const next: Fields = { ...args };
  let changed = false;
  // Start at the end, so that removals do not shift the remaining indexes of a list.
  for (const [key = '', place] of found.sort((a, b) => Number(b[1] ?? 0) - Number(a[1] ?? 0))) {
    const value = next[key];
    if (Array.isArray(value) && place !== undefined && (value.length > 1 || OPTIONAL.has(key))) {
      next[key] = value.filter((_, index) => String(index) !== place);
      changed = true;
    } else if (place === undefined && OPTIONAL.has(key)) {
      next[key] = Array.isArray(value) ? [] : '';
      changed = true;
    }
  }
  return changed ? (next as JsonValue) : null;
}
