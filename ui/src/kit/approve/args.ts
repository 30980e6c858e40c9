import type { Approval, JsonValue } from '../../host';

type Fields = { [key: string]: JsonValue | undefined };

/** One argument of an action that a person may change as text. */
export interface Field {
  key: string;
  /** Lists are written one entry a line. */
  list: boolean;
  long: boolean;
  text: string;
}

/** Names of arguments that point at records or are chosen by the engine; changing them by hand makes no sense. */
const POINTERS =
  /(^|_)(id|ids|uid|uids|ref|event|task|mail|note|memory|message|thread|instance|calendar|account|draft)$|^in_reply_to$|^forward_of$/;
/** Recipients and guests one may leave out altogether. */
const OPTIONAL = new Set(['cc', 'bcc', 'attendees', 'guests']);
const LONG = new Set(['body', 'text', 'notes', 'description', 'content']);

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The order mails are written in; other arguments follow. */
const ORDER = ['to', 'cc', 'bcc', 'subject', 'body'];
/** What can be given to a mail although it was not asked for. A draft that is sent brings all of it along. */
const MORE: Record<string, Fields> = {
  'email.send': { to: [], cc: [], bcc: [], subject: '' },
  'email.reply': { cc: [], bcc: [] },
};
const place = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);

/** The arguments as fields, in the order one fills them in; empty for a batch, or when nothing in it is text. */
export function fieldsOf(args: JsonValue, tool: string): Field[] {
  if (!isFields(args)) return [];
  const more = given(args)['draft'] === undefined ? (MORE[tool] ?? {}) : {};
  const entries = Object.entries({ ...more, ...given(args) }).sort(([a], [b]) => place(a) - place(b));
  return entries.flatMap(([key, value]): Field[] => {
    if (POINTERS.test(key)) return [];
    if (typeof value === 'string')
      return [{ key, list: false, long: LONG.has(key) || value.includes('\n'), text: value }];
    // What the answer to a question filled in stands in a list of its own.
    const lines = Array.isArray(value) ? value.flat() : null;
    if (lines?.every((one) => typeof one === 'string')) {
      return [{ key, list: true, long: lines.length > 1, text: lines.join('\n') }];
    }
    return [];
  });
}

const given = (args: Fields): Fields =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined));

/** The complete arguments with the changed fields in them. */
export function withFields(args: JsonValue, fields: Field[]): JsonValue {
  if (!isFields(args)) return args;
  const next: Fields = { ...args };
  for (const { key, list, text } of fields) {
    const lines = text
      .split(/[\n,;]/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    next[key] = list ? lines : text;
  }
  return next as JsonValue;
}

/** The arguments of one of several calls; null where the card does not show each call as one item. */
export function callAt({ args, shown }: Approval, at: number): JsonValue | null {
  if (!Array.isArray(args) || args.length !== shown.items.length) return null;
  return args[at] ?? null;
}

/** Arguments that say which records one call is about: by reference, or by description. */
const WHICH = ['id', 'ids', 'target'] as const;

/**
 * Whether single items can be taken out: one call that says which records it is about. Several calls on one card are
 * approved or rejected together, and edited one by one (`callAt`).
 */
export function canDropItems({ args, shown }: Approval): boolean {
  return shown.items.length > 1 && isFields(args) && WHICH.some((key) => args[key] !== undefined && args[key] !== null);
}

/** The arguments of one call without the item at this place of the card: the references that remain. */
export function withoutItem({ args, shown }: Approval, at: number): JsonValue {
  if (!isFields(args)) return args;
  const { id, ids, target: _, ...rest } = args;
  const named = [id, ids].flatMap((one) => (typeof one === 'string' || Array.isArray(one) ? one : []));
  const dropped = shown.items[at]?.id;
  const left = named.filter((one) => one !== dropped);
  // The card may name instances where the call names a series or describes what it means: then the card counts.
  const remaining =
    left.length < named.length ? left : shown.items.flatMap((item, place) => (place === at ? [] : [item.id]));
  return { ...rest, ids: remaining } as JsonValue;
}

/**
 * The arguments without the values that were found in text of others, where the action makes sense without them. Null when
 * there is nothing one could leave out.
 */
export function withoutFound(approval: Approval): JsonValue | null {
  const { args, sources } = approval;
  if (!isFields(args) || !isFields(sources)) return null;
  const found = Object.entries(sources).flatMap(([pointer, source]) =>
    isFields(source) && source['kind'] === 'untrusted' ? [pointer.split('/').slice(1)] : [],
  );
  const next: Fields = { ...args };
  let changed = false;
  // From the back, so that places in a list stay true while entries go.
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
