import type { Check } from '../../host';
import { t, type PlainKey } from '../../kit/strings';
import '../../kit/strings/en/health';
import type { Section } from './sections';

/** A check in the person's words. */
export interface CheckText {
  what: string;
  /** What its state means. */
  means: string;
  /** What to do; empty if nothing is. */
  next: string;
  /** The place in Settings where that is done. */
  section: Section | null;
}

interface Thing {
  what: PlainKey;
  means: Partial<Record<string, PlainKey>>;
  /** In place of the engine's advice, where that speaks to whoever starts the program. */
  next?: PlainKey;
  section?: Section;
}

/** What the engine checks, by its name for it. */
const THINGS: Record<string, Thing> = {
  Profile: {
    what: 'health.profile',
    means: { ok: 'health.profile_ok', broken: 'health.profile_broken' },
    section: 'data',
  },
  Storage: {
    what: 'health.storage',
    means: { ok: 'health.storage_ok', broken: 'health.storage_broken' },
    section: 'data',
  },
  Search: { what: 'health.search', means: { ok: 'health.search_ok', broken: 'health.search_broken' } },
  Time: { what: 'health.time', means: { ok: 'health.time_ok', missing: 'health.time_missing' }, section: 'time' },
  You: { what: 'health.you', means: { ok: 'health.you_ok', optional: 'health.you_optional' }, section: 'you' },
  Files: {
    what: 'health.files',
    means: { ok: 'health.files_ok', optional: 'health.files_optional', broken: 'health.files_broken' },
    section: 'files',
  },
  'Web search': {
    what: 'health.web',
    means: {
      ok: 'health.web_ok',
      optional: 'health.web_optional',
      missing: 'health.web_missing',
      broken: 'health.web_broken',
    },
    section: 'research',
  },
  Documents: {
    what: 'health.documents',
    means: { ok: 'health.documents_ok', broken: 'health.documents_broken' },
  },
  Notifications: {
    what: 'health.notifications',
    means: { ok: 'health.notifications_ok', missing: 'health.notifications_missing' },
  },
  Keyring: {
    what: 'health.keyring',
    means: { ok: 'health.keyring_ok', optional: 'health.keyring_optional', broken: 'health.keyring_broken' },
    next: 'health.keyring_next',
  },
  Models: { what: 'health.models', means: { optional: 'health.models_optional' }, section: 'models' },
  Accounts: {
    what: 'health.accounts',
    means: { ok: 'health.accounts_ok', broken: 'health.accounts_broken' },
    section: 'accounts',
  },
};

/** Checks of one thing among several, named `Model Lab`. */
const ONES = {
  Model: {
    what: 'health.model_one',
    means: { ok: 'health.model_ok', missing: 'health.model_missing', broken: 'health.model_broken' },
    section: 'models',
  },
  Account: {
    what: 'health.account_one',
    means: {
      ok: 'health.account_ok',
      optional: 'health.account_optional',
      missing: 'health.account_missing',
      broken: 'health.account_broken',
    },
    section: 'accounts',
  },
} as const;

/** Tells a check in the person's words; one that is not known here in the engine's. */
export function checkText(check: Check): CheckText {
  const [kind = '', ...rest] = check.name.split(' ');
  const one = kind in ONES ? ONES[kind as keyof typeof ONES] : undefined;
  const thing: Omit<Thing, 'what'> | undefined = THINGS[check.name] ?? one;
  const means = thing?.means[check.state];
  return {
    what: whatOf(check, one && t(one.what, { name: rest.join(' ') })),
    means: means ? t(means) : sentence(check.found),
    next: check.state === 'ok' ? '' : thing?.next ? t(thing.next) : check.hint,
    section: check.state === 'ok' ? null : (thing?.section ?? null),
  };
}

/** The name of a folder tells it from others, of which there is one check each. */
function whatOf(check: Check, one: string | undefined): string {
  if (check.name === 'Files' && check.state !== 'optional') {
    const path = check.found.split(': ')[0] ?? '';
    return t('health.files_one', { name: path.split(/[\\/]/).filter(Boolean).at(-1) ?? path });
  }
  const thing = THINGS[check.name];
  return thing ? t(thing.what) : (one ?? check.name);
}

function sentence(found: string): string {
  const text = found.charAt(0).toUpperCase() + found.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const URGENCY = ['broken', 'missing'];

/** Whether the person has to do something. */
export const needsYou = (check: Check): boolean => check.state !== 'ok' && check.state !== 'optional';

/** What needs the person first, otherwise in the engine's order. */
export function byUrgency(checks: readonly Check[]): Check[] {
  const rank = (check: Check) => (URGENCY.includes(check.state) ? URGENCY.indexOf(check.state) : URGENCY.length);
  return [...checks].sort((a, b) => rank(a) - rank(b));
}
