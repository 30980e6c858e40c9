import type { AccountField, AccountKind, AccountRow, CollectionRow, Fault } from '../../host';
import { t } from '../../kit/strings';
import '../../kit/strings/en/accounts';
import { momentIn } from '../../kit/time';

/** The typed values of a kind's fields, by name. */
export type Filled = Record<string, string>;

export const isSecret = (field: AccountField): boolean => field.form === 'password' || field.form === 'private_text';

/** Splits the filled-in fields into settings and secrets. */
export function sorted(kind: AccountKind, filled: Filled): { settings: Filled; secrets: Filled } {
  const settings: Filled = {};
  const secrets: Filled = {};
  for (const field of kind.fields) {
    const value = isSecret(field) ? (filled[field.name] ?? '') : (filled[field.name] ?? '').trim();
    if (value !== '') (isSecret(field) ? secrets : settings)[field.name] = value;
  }
  return { settings, secrets };
}

/**
 * The fields of a repeated sign-in: choices of access for a browser sign-in, else the required secrets, or all secrets.
 */
export function asked(kind: AccountKind): AccountField[] {
  if (kind.signs_in === 'browser') return kind.fields.filter((field) => field.form === 'choice');
  const secret = kind.fields.filter(isSecret);
  const needed = secret.filter((field) => field.required);
  return needed.length > 0 ? needed : secret;
}

/** The field that the server refused, unless the repeated sign-in already shows it. */
export function refusedBeside(kind: AccountKind, fault: Fault | null): AccountField[] {
  const secret = asked(kind);
  return kind.fields.filter((field) => field.name === fault?.code && !secret.includes(field));
}

/** The SHA-256 fingerprint of a certificate in a text. */
export const fingerprintIn = (text: string): string | null =>
  /\b(?:[0-9A-F]{2}:){31}[0-9A-F]{2}\b/.exec(text)?.[0] ?? null;

/** Bytes of a fingerprint that stay together when a line breaks: few enough to compare at a glance. */
const GROUP_BYTES = 4;

/** A text cut around the fingerprints in it, each of which comes as groups that joined are the fingerprint again. */
export function withPrints(text: string): (string | string[])[] {
  const pieces: (string | string[])[] = [];
  let rest = text;
  for (let print = fingerprintIn(rest); print; print = fingerprintIn(rest)) {
    const at = rest.indexOf(print);
    pieces.push(rest.slice(0, at), print.match(new RegExp(`(?:..:?){1,${GROUP_BYTES}}`, 'g')) ?? []);
    rest = rest.slice(at + print.length);
  }
  return [...pieces, rest];
}

/** The account that a message names; the one with the longest label if several labels occur in it. */
export const accountIn = (message: string, rows: readonly AccountRow[]): AccountRow | null => {
  const said = message.toLowerCase();
  const named = rows.filter((row) => said.includes(row.label.toLowerCase()));
  return named.sort((one, other) => other.label.length - one.label.length)[0] ?? null;
};

/** The name of the field for certificates that the person trusts. */
export const CERTIFICATE = 'certificate';

/** The progress of a sync, with numbers when they are known. */
export function readingText(row: AccountRow): string {
  const far = row.progress;
  return far && far.total > 0 ? t('accounts.reading_far', { done: far.done, total: far.total }) : t('accounts.reading');
}

/** The state of an account, or when it was last synced. */
export function stateText(row: AccountRow): string {
  if (row.state === 'off') return t('accounts.off');
  if (row.reading) return readingText(row);
  if (row.state === 'signed_out') return t('accounts.signed_out');
  return row.read === null ? t('accounts.not_read') : t('accounts.read', { when: momentIn(row.read) });
}

const KINDS = ['calendar', 'mailbox', 'task_list', 'address_book'] as const;

/** The access that was requested at sign-in and not granted. */
export const missingText = (row: AccountRow): string =>
  row.settings.missing ? t('accounts.missing', { what: row.settings.missing }) : '';

/** What an account contains, such as `2 calendars, 1 address book`. */
export function bringsText(row: AccountRow, collections: readonly CollectionRow[]): string {
  const own = collections.filter((one) => one.account === row.id);
  const counted = KINDS.flatMap((kind) => {
    const n = own.filter((one) => one.kind === kind).length;
    return n === 0 ? [] : [t(`accounts.brings_${kind}`, { n })];
  });
  const fixed = own.length > 0 && own.every((one) => !one.writable);
  return [...counted, ...(fixed ? [t('accounts.read_only')] : [])].join(', ');
}

/** The kinds of collection that can be the place for new records. */
const NEW_KINDS = ['calendar', 'task_list', 'address_book'] as const;

/** The place for new records of one kind. */
export interface NewPlace {
  kind: (typeof NEW_KINDS)[number];
  /** The writable collections of accounts. */
  offered: CollectionRow[];
  /** The id of the chosen collection; empty for this computer. */
  preferred: string;
  /** The name of the calendar on this computer that new ones go to if this computer is chosen; empty if there is none. */
  here: string;
}

/** One choice for each kind that an account offers a writable collection for. */
export function placesOf(accounts: readonly AccountRow[], collections: readonly CollectionRow[]): NewPlace[] {
  return NEW_KINDS.flatMap((kind) => {
    const offered = collections.filter(
      (one) => one.kind === kind && one.writable && accounts.some((row) => row.id === one.account),
    );
    const preferred = offered.find((one) => one.preferred)?.id ?? '';
    const here = collections.find((one) => one.kind === kind && one.writable && one.account === 'local')?.name ?? '';
    return offered.length === 0 ? [] : [{ kind, offered, preferred, here }];
  });
}
