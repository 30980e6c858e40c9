import type { Setting } from '../../host';
import { t, type PlainKey } from '../../kit/strings';
import '../../kit/strings/en/accounts';
import '../../kit/strings/en/models';
import '../../kit/strings/en/research';
import '../../kit/strings/en/settings';
import '../../kit/strings/en/tools';
import '../../kit/strings/en/understanding';
import '../../kit/strings/en/usage';

export const SECTIONS = [
  'you',
  'time',
  'approvals',
  'accounts',
  'models',
  'tools',
  'research',
  'files',
  'notifications',
  'appearance',
  'keyboard',
  'data',
  'understanding',
  'background',
  'health',
  'other',
] as const;
export type Section = (typeof SECTIONS)[number];

/** The control for a setting. */
export type Control =
  'text' | 'list' | 'folders' | 'zone' | 'time' | 'switch' | 'choice' | 'number' | 'shortcut' | 'tiers';

export interface Known {
  section: Section;
  control: Control;
  label: PlainKey;
  /** Other words people search for. */
  words: PlainKey;
  /** A note below the label, for what the label leaves open: what the setting makes possible, or what it means. */
  note?: PlainKey;
  /** The value in effect when the field is empty. */
  placeholder?: string;
  /** Labels of the choices whose value means nothing to people. */
  names?: Record<string, PlainKey>;
  min?: number;
  max?: number;
  step?: number;
}

const known = (section: Section, control: Control, name: string, more: Partial<Known> = {}): Known => ({
  section,
  control,
  label: `set.${name}` as PlainKey,
  words: `set.${name}_words` as PlainKey,
  ...more,
});

/** Shows the order of dates by example. */
const DATE_ORDERS: Record<string, PlainKey> = { true: 'choice.day_first', false: 'choice.month_first' };

/** The names of the search engines. */
const ENGINES: Record<string, PlainKey> = {
  none: 'choice.no_engine',
  wikipedia: 'choice.wikipedia',
  searxng: 'choice.searxng',
  tavily: 'choice.tavily',
  brave: 'choice.brave',
};

/** Every setting the window has a place for. Any other is shown with the engine's own text. */
export const KNOWN: Record<string, Known> = {
  'owner.name': known('you', 'text', 'name'),
  'owner.emails': known('you', 'list', 'emails', { note: 'set.emails_note' }),
  time_zone: known('time', 'zone', 'zone', { note: 'set.zone_note' }),
  week_start: known('time', 'choice', 'week'),
  clock: known('time', 'choice', 'clock'),
  day_first: known('time', 'choice', 'day_first', { note: 'set.day_first_note', names: DATE_ORDERS }),
  work_start: known('time', 'time', 'work_start'),
  work_end: known('time', 'time', 'work_end'),
  event_minutes: known('time', 'number', 'event_minutes', {
    min: 5,
    max: 1440,
    step: 5,
    note: 'set.event_minutes_note',
  }),
  ask_always: known('approvals', 'switch', 'ask_always', { note: 'set.ask_always_note' }),
  hold_seconds: known('approvals', 'number', 'hold', {
    min: 0,
    max: 120,
    step: 5,
    placeholder: '20',
    note: 'set.hold_note',
  }),
  'approval.offline_hours': known('approvals', 'number', 'offline', {
    min: 1,
    max: 168,
    step: 1,
    note: 'set.offline_note',
  }),
  folders: known('files', 'folders', 'folders', { note: 'set.folders_note' }),
  'desktop.notifications': known('notifications', 'switch', 'notify', { note: 'set.notify_note' }),
  'desktop.quiet_from': known('notifications', 'time', 'quiet_from', { note: 'set.quiet_from_note' }),
  'desktop.quiet_to': known('notifications', 'time', 'quiet_to', { note: 'set.quiet_to_note' }),
  'desktop.autostart': known('notifications', 'switch', 'autostart'),
  'desktop.theme': known('appearance', 'choice', 'theme'),
  'desktop.text_size': known('appearance', 'number', 'text_size', {
    min: 80,
    max: 200,
    step: 5,
    note: 'set.text_size_note',
  }),
  'desktop.motion': known('appearance', 'choice', 'motion'),
  'models.spend.call': known('models', 'text', 'spend_call', { note: 'set.spend_call_note' }),
  'models.spend.day': known('models', 'text', 'spend_day'),
  'models.spend.month': known('models', 'text', 'spend_month', { note: 'set.spend_month_note' }),
  'models.spend.background_day': known('models', 'text', 'spend_background', { note: 'set.spend_background_note' }),
  'models.currency': known('models', 'text', 'currency', { note: 'set.currency_note' }),
  'models.tiers': known('models', 'tiers', 'tiers', { note: 'set.tiers_note' }),
  'models.tone': known('models', 'text', 'tone', { note: 'set.tone_note' }),
  'models.critique': known('models', 'switch', 'critique', { note: 'set.critique_note' }),
  'models.begin_seconds': known('models', 'number', 'begin', { min: 5, max: 1200, step: 5, note: 'set.begin_note' }),
  'models.stall_seconds': known('models', 'number', 'stall', { min: 2, max: 600, step: 1, note: 'set.stall_note' }),
  'models.deadline_seconds': known('models', 'number', 'deadline', {
    min: 10,
    max: 3600,
    step: 10,
    note: 'set.deadline_note',
  }),
  'models.breaker.failures': known('models', 'number', 'breaker_failures', {
    min: 1,
    max: 100,
    step: 1,
    note: 'set.breaker_failures_note',
  }),
  'models.breaker.within_minutes': known('models', 'number', 'breaker_within', { min: 1, max: 60, step: 1 }),
  'models.breaker.rest_minutes': known('models', 'number', 'breaker_rest', {
    min: 1,
    max: 120,
    step: 1,
    note: 'set.breaker_rest_note',
  }),
  'models.shadow': known('models', 'text', 'shadow'),
  'models.shadow_prompts': known('models', 'text', 'shadow_prompts', { note: 'set.shadow_prompts_note' }),
  'models.shadow_router': known('models', 'choice', 'shadow_router', { note: 'set.shadow_router_note' }),
  'accounts.mail_cache_mib': known('data', 'number', 'mail_cache', {
    min: 0,
    max: 1_048_576,
    step: 256,
    note: 'set.mail_cache_note',
  }),
  'mail.images_from': known('data', 'list', 'images_from', { note: 'set.images_from_note' }),
  'google.client_id': known('accounts', 'text', 'google_client', { note: 'set.google_client_note' }),
  'google.endpoint': known('data', 'text', 'google_endpoint', { note: 'set.google_endpoint_note' }),
  'network.proxy': known('data', 'text', 'proxy', { note: 'set.proxy_note' }),
  'network.no_proxy': known('data', 'list', 'no_proxy', { note: 'set.no_proxy_note' }),
  'network.certificates': known('data', 'text', 'certificates', { note: 'set.certificates_note' }),
  'web.search.engine': known('research', 'choice', 'engine', { note: 'set.engine_note', names: ENGINES }),
  'web.searxng.url': known('research', 'text', 'searxng', { note: 'set.searxng_note' }),
  'web.search.tool': known('research', 'text', 'search_tool', { note: 'set.search_tool_note' }),
  'web.wikipedia.language': known('research', 'text', 'wikipedia', { placeholder: 'en', note: 'set.wikipedia_note' }),
  'web.allow_hosts': known('research', 'list', 'allow_hosts', { note: 'set.allow_hosts_note' }),
  'web.search.endpoint': known('research', 'text', 'search_endpoint', { note: 'set.search_endpoint_note' }),
  'research.rounds': known('research', 'number', 'rounds', { min: 1, max: 50, step: 1 }),
  'research.minutes': known('research', 'number', 'research_minutes', { min: 1, max: 60, step: 1 }),
  'research.credits': known('research', 'number', 'credits', {
    min: 1,
    max: 10_000,
    step: 10,
    note: 'set.credits_note',
  }),
  'research.day_credits': known('research', 'number', 'day_credits', { min: 1, max: 100_000, step: 100 }),
  'research.credit_price': known('research', 'number', 'credit_price', {
    min: 0,
    step: 0.001,
    note: 'set.credit_price_note',
  }),
  'desktop.quick_ask_shortcut': known('keyboard', 'shortcut', 'quick_ask', { note: 'set.quick_ask_note' }),
  'desktop.single_keys': known('keyboard', 'switch', 'single_keys', { note: 'set.single_keys_note' }),
};

/** A search result that leads to a section, or to one thing in it. */
export interface Place {
  section: Section;
  label: PlainKey;
  /** The text below the label. */
  help: PlainKey | null;
  words: PlainKey;
  /** The `data-place` of an element in the section; null for the section's heading. */
  at: string | null;
}

const within = (section: Section, at: string, label: PlainKey, words: PlainKey, help: PlainKey | null): Place => ({
  section,
  label,
  help,
  words,
  at,
});

/** Things in the sections other than settings. */
const THINGS: readonly Place[] = [
  within('accounts', 'add_account', 'accounts.add', 'accounts.add_words', null),
  within('models', 'add', 'models.add', 'models.add_words', null),
  within('models', 'compare', 'models.compare', 'models.compare_words', 'models.compare_help'),
  within('models', 'spending', 'spend.title', 'spend.words', null),
  within('tools', 'add_server', 'servers.add', 'servers.add_words', null),
  within('tools', 'share', 'share.title', 'share.words', 'share.about'),
  within('keyboard', 'keys', 'settings.keyboard_list', 'settings.keyboard_list_words', 'settings.keyboard_list_help'),
  within('data', 'folder', 'data.folder', 'data.folder_words', null),
  within('data', 'import', 'data.import', 'data.import_words', 'data.import_help'),
  within('data', 'export', 'data.export', 'data.export_words', 'data.export_help'),
  within('data', 'erase', 'data.erase', 'data.erase_words', 'data.erase_help'),
];

/**
 * Every place that contains all of the words: matches in the label first, then in the search words, then in the help.
 */
export function placesFor(words: string, shown: readonly Section[]): Place[] {
  const places = shown.flatMap((section): Place[] => [
    {
      section,
      label: `settings.${section}`,
      help: `settings.${section}_lead`,
      words: `settings.${section}_words`,
      at: null,
    },
    ...THINGS.filter((one) => one.section === section),
  ]);
  const found = places.filter((one) => fits(words, [t(one.label), t(one.words), one.help === null ? '' : t(one.help)]));
  const called = (one: Place) => (fits(words, [t(one.label)]) ? 0 : fits(words, [t(one.words)]) ? 1 : 2);
  return found.sort((a, b) => called(a) - called(b));
}

export interface Shown {
  setting: Setting;
  known: Known | null;
}

/** Settings that are changed where they show: colours and visibility of calendars, signatures of accounts, sharing. */
export const ELSEWHERE: ReadonlySet<string> = new Set([
  'calendar.hidden',
  'calendar.colours',
  'signatures',
  'mcp.serve.share',
]);

/** The section of a setting; null when Settings does not list it. */
export function sectionOf(setting: Setting): Section | null {
  return ELSEWHERE.has(setting.key) ? null : (KNOWN[setting.key]?.section ?? 'other');
}

/** The settings of a section, in the engine's order. */
export function inSection(settings: readonly Setting[], section: Section): Shown[] {
  const here = settings.filter((setting) => sectionOf(setting) === section);
  // The setting for where to look comes before the limits of a search.
  const last = ({ key }: Setting) => Number(section === 'research' && key.startsWith('research.'));
  return here
    .sort((one, other) => last(one) - last(other))
    .map((setting) => ({ setting, known: KNOWN[setting.key] ?? null }));
}

/** The model settings that most people use; the rest is under Advanced. */
const USUAL = new Set(['models.tiers', 'models.tone', 'models.currency', 'models.spend.day', 'models.spend.month']);

/** Settings that only tests, trials and people with their own servers need. */
const RARE = new Set(['web.search.endpoint', 'google.client_id', 'google.endpoint']);

export const isAdvanced = ({ setting }: Shown): boolean =>
  RARE.has(setting.key) || (sectionOf(setting) === 'models' && !USUAL.has(setting.key));

/** Whether every search word occurs in the texts of a setting. */
export function fits(words: string, texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => all.includes(word));
}

/** Whether this window cannot change the setting. */
export function isFixed(setting: Setting): boolean {
  return setting.origin === 'environment' || setting.origin === 'command line';
}

/** The value that restores a setting: null when it was at its default. */
export function before(setting: Setting): string | null {
  return setting.origin === 'profile' ? setting.value : null;
}

/** Splits `a, b` into its parts. */
export function parts(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

const NAMED: Record<string, string> = {
  ' ': 'Space',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
};
const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']);

/** A key combination as the engine writes it, such as `Ctrl+Shift+Space`; null without Ctrl, Alt or Super. */
export function shortcutOf(event: KeyboardEvent): string | null {
  if (MODIFIERS.has(event.key)) return null;
  const held = [
    event.ctrlKey ? 'Ctrl' : '',
    event.metaKey ? 'Super' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey ? 'Shift' : '',
  ].filter(Boolean);
  if (held.length === 0 || held.join() === 'Shift') return null;
  const key = event.code.startsWith('Key')
    ? event.code.slice(3)
    : event.code.startsWith('Digit')
      ? event.code.slice(5)
      : (NAMED[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key));
  return [...held, key].join('+');
}
