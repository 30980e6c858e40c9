import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { expect, it, vi } from 'vitest';
import Onboarding from '../features/onboarding/Onboarding.svelte';
import QuickAsk from '../features/quick-ask/QuickAsk.svelte';
import { fake } from '../host/fake';
import { accountKinds } from '../host/fake/accounts';
import { offered } from '../host/fake/calendar';
import { usage } from '../host/fake/costs';
import { checks } from '../host/fake/recorded';
import { withoutCommands } from '../host/window-words';
import { pages, versions } from '../host/fake/research-rows';
import type { Scenario } from '../host/fake/scenario';
import { scoreboard } from '../host/fake/scoreboard';
import { blank } from '../kit/agenda/event';
import { eventBox } from '../kit/agenda/box.svelte';
import EventDialogs from '../kit/agenda/EventDialogs.svelte';
import { bring } from '../kit/bring/bring.svelte';
import Brought from '../kit/bring/Brought.svelte';
import { clock } from '../kit/clock.svelte';
import { live } from '../kit/live.svelte';
import { eventually } from '../kit/test/eventually';
import type { Entry } from '../kit/strings';
import { en } from '../kit/strings/en';
import type * as words from '../kit/strings/words';
import { profiles } from '../kit/profiles.svelte';
import { talk } from '../kit/talk/conversation.svelte';
import KeyList from './KeyList.svelte';
import Palette from './Palette.svelte';
import Rail from './Rail.svelte';
import SampleBar from './SampleBar.svelte';
import StorageBar from './StorageBar.svelte';
import { SECTIONS } from '../features/settings/sections';
import { surfaceOf, surfaces } from './surfaces';

// A pseudo language that puts every catalogue entry in brackets. Any visible or spoken text outside brackets must be
// data, a date or a key name; other text bypasses the catalogue.

vi.mock('../kit/strings/words', async (original) => {
  const real = await original<typeof words>();
  const marked = (entry: Entry | undefined): Entry | undefined => {
    if (typeof entry === 'string') return `⟦${entry}⟧`;
    return entry && { one: `⟦${entry.one}⟧`, other: `⟦${entry.other}⟧` };
  };
  return { ...real, entryOf: (key: string) => marked(real.entryOf(key)) };
});

const SPOKEN = ['aria-label', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt'];
const KEYS = /^(Esc|Enter|Tab|Shift|Space|Ctrl|Alt|Delete|Home|End|[A-Z])( [A-Z↑↓←→])?$/;

/** Markdown marks, which are not drawn. */
const MARKUP = /[*_`#>|]/g;

/** Names of months and days, as the browser writes them. */
const DATES = new Set(
  Array.from({ length: 366 }, (_, day) => new Date(2026, 0, day + 1)).flatMap((date) =>
    (['short', 'long'] as const).flatMap((style) =>
      [
        date.toLocaleDateString('en', { weekday: style }),
        date.toLocaleDateString('en', { month: style }),
        date.toLocaleDateString('en-GB', { month: style }),
      ].map((word) => word.toLowerCase()),
    ),
  ),
);

/** Everything the host returned, as one text. Skips tool descriptions, which are long and shown nowhere. */
function told(): string {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value.replace(MARKUP, ''), withoutCommands(value).replace(MARKUP, ''));
    else if (Array.isArray(value)) value.forEach(walk);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(walk);
  };
  const { world } = fake;
  walk([world.tables, world.approvals, world.settings, world.status(), world.models.view(), world.models.files()]);
  walk([world.models.find(), checks, offered(null, null), world.research, pages, versions]);
  walk([accountKinds, world.accounts, world.servers, world.jobs, world.grants, usage, scoreboard, profiles.all]);
  for (const { id } of world.tables.conversations) world.subscribe(id, 0, walk)();
  return texts.join('\n').replace(/\s+/g, ' ').toLowerCase();
}

/** The parts of a text that come from neither the catalogue nor the data. */
function foreign(text: string, data: string): string[] {
  let rest = text;
  for (let before = ''; before !== rest;) [before, rest] = [rest, rest.replace(/⟦[^⟦⟧]*⟧/g, '\n')];
  return rest
    .split(/[\n\d·,:;()“”|/+–—…›]+/u)
    .map((part) => part.replace(MARKUP, '').trim())
    .filter((part) => /\p{L}{2,}/u.test(part) && !KEYS.test(part))
    .filter((part) => !data.includes(part.replace(/\s+/g, ' ').toLowerCase()))
    .filter((part) => !part.split(/\s+/).every((word) => DATES.has(word.toLowerCase().replace(/\.$/, ''))));
}

/** Elements to skip: they contain code for other programs, shown verbatim. */
const UNREAD = 'style, script, pre, code';

function visible(root: HTMLElement): string[] {
  const texts = [...root.querySelectorAll('*')].flatMap((element) =>
    SPOKEN.map((name) => element.getAttribute(name) ?? ''),
  );
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement?.closest(UNREAD)) texts.push(walker.currentNode.textContent ?? '');
  }
  return texts.filter((text) => text.trim() !== '');
}

type Place = [id: string | null, there: string];

/** Addresses of each surface, with a text that appears once the surface is fully drawn. */
const PLACES: Record<string, Place[]> = {
  chat: [
    ['main', 'You’re both free Thursday'],
    ['c-lease', 'She asks for a signed copy'],
    ['c-bank', 'Reminder “Call the bank”'],
  ],
  conversations: [
    [null, 'Lease renewal letter'],
    ['archive', en['conversations.empty_archive']],
  ],
  today: [
    [null, 'Pricing review'],
    ['e-pricing', 'Tomas Keller'],
    ['2026-01-17', en['today.day_free']],
  ],
  research: [
    [null, 'Train to London'],
    ['new', 'Nothing leaves'],
    ['r-ask', 'To book a trip'],
    ['r-pump', 'Which rebates can'],
    ['r-stopped', en['research.resume']],
    ['r-failed', 'did not accept the key'],
    ['r-done', 'Likely yes'],
  ],
  approvals: [
    ['a-mail', 'Thank you for the draft'],
    ['a-batch', 'Return the drill'],
    ['a-move', 'Both calendars'],
    ['a-unknown', 'Invoice to Bergmann AG'],
    ['a-failed', 'Mail to the old Kelm address'],
    ['a-expired', 'Cancel “Design sync”'],
    ['o-draft', 'did you find the address'],
    ['o-priya', 'the budget note is attached'],
  ],
  tasks: [
    [null, 'Renew passport'],
    ['t-plants', en['field.rrule']],
    ['t-leave', en['tasks.reopen']],
  ],
  notes: [
    [null, 'Alarm code'],
    ['n-raj', 'Wants the Q4 totals'],
  ],
  calendar: [
    [null, 'Pricing review'],
    ['day-2026-01-13', 'Pricing review'],
    ['month-2026-01-13', 'Team offsite'],
  ],
  mail: [
    [null, 'Hannah Voss'],
    ['mail-kelm', 'the draft is ready'],
    ['mail-deals', en['mail.unsubscribe']],
    ['sort', en['mail.keep']],
    ['to:raj.patel@northwind.example', en['mail.new']],
  ],
  contacts: [
    [null, 'Raj Patel'],
    ['c-raj', '1:1 this week'],
    ['new', en['contacts.name']],
  ],
  memory: [
    ['m-raj', 'so nothing after 1 pm our time'],
    ['m-kelm', en['memory.aside_note']],
    ['m-seat', en['memory.resting_note']],
    ['new', en['memory.add_title']],
  ],
  activity: [
    ['r-train', en['activity.col_asked']],
    ['r-invoice', 'may have been sent'],
    ['g-rates', 'You opened a link'],
  ],
  settings: [
    ...SECTIONS.filter((section) => section !== 'other').map((section): Place => [
      section,
      en[`settings.${section}_lead`],
    ]),
    ['approvals', 'Rowing practice'],
    ['models', en['models.answering_none']],
    ['background', 'Tidy storage'],
    ['health', 'Keyring'],
    ['tools', 'Books a seat on a train.'],
  ],
};

/** What each surface says when it has no data. */
const EMPTY: Record<string, string> = {
  chat: en['chat.empty_title'],
  conversations: en['conversations.empty'],
  today: en['today.empty_title'],
  research: en['research.empty_lead'],
  approvals: en['approvals.empty'],
  tasks: en['tasks.empty'],
  notes: en['notes.empty'],
  mail: en['mail.empty'],
  contacts: en['contacts.empty'],
  memory: en['memory.empty'],
  activity: en['activity.empty'],
};

async function world(scenario: Scenario = 'populated') {
  fake.reset(scenario, 0);
  fake.world.servers.fill();
  eventBox.close();
  await talk.open(null);
  clock.now = () => fake.world.now();
  live.start();
  live.wantEffects();
  // The loaded data belongs to the previous world.
  fake.world.changed('approvals', 'conversations', 'outbox', 'settings');
  await live.reloadApprovals();
}

/** Waits until the surface is drawn, and returns text that bypasses the catalogue. */
async function pastCatalogue(root: HTMLElement, there: string): Promise<string[]> {
  await eventually(() => expect(visible(root).join('\n')).toContain(there));
  const data = told();
  return [...new Set(visible(root).flatMap((text) => foreign(text, data)))];
}

const all = [...surfaces, surfaceOf('conversations')];

it.each(all.map((surface) => [surface.name, surface] as const))(
  'every word of the surface %s comes from the catalogue',
  async (name, { load }) => {
    expect(PLACES[name], 'a new surface says what is there').toBeDefined();
    await world();
    const { default: Surface } = await load();
    for (const [id, there] of PLACES[name] ?? []) {
      const { container, unmount } = render(Surface, { id });
      expect({ id, past: await pastCatalogue(container, there) }).toEqual({ id, past: [] });
      unmount();
    }
  },
);

it.each(Object.entries(EMPTY))('every word of an empty %s comes from the catalogue', async (name, there) => {
  await world('empty');
  const { default: Surface } = await surfaceOf(name).load();
  const { container } = render(Surface, { id: null });
  expect(await pastCatalogue(container, there)).toEqual([]);
});

/** Parts above, beside or before the surfaces. */
const PARTS: [name: string, draw: () => unknown, there: string][] = [
  ['the first start', () => draw(Onboarding), en['first.promise']],
  ['the rail', () => draw(Rail), en['nav.activity']],
  ['the palette', () => draw(Palette), en['palette.theme_dark']],
  [
    'the palette with words',
    () => {
      fake.world.search = () => [{ topic: 'contacts', id: 'c-raj', title: 'Raj Patel', snippet: 'Northwind, London' }];
      return type('combobox', 'northwind', draw(Palette));
    },
    'Northwind, London',
  ],
  ['the list of keys', () => draw(KeyList), en['keys.palette']],
  ['the bar of sample data', () => draw(SampleBar, { own: 'Work' }), en['profile.sample']],
  [
    'the bar of storage that fails',
    () => draw(StorageBar, { fault: { code: 'read_only', message: 'Renew passport', hint: 'Alarm code' } }),
    'Renew passport',
  ],
  ['quick-ask', () => draw(QuickAsk), en['quick.title']],
  [
    'files that were dropped',
    () => {
      bring.offer(['/home/mara/calendar.ics', '/home/mara/heat-loss-ferry-st.pdf']);
      draw(Brought, { bring });
    },
    en['bring.not_now'],
  ],
  [
    'a new event',
    () => {
      draw(EventDialogs);
      eventBox.make(blank('2026-01-13', 600, 660));
    },
    en['common.save'],
  ],
  [
    'an event',
    () => {
      draw(EventDialogs);
      const event = fake.world.tables.events.find((one) => one.id === 'e-raj');
      if (event) eventBox.look(event);
    },
    'every week on Wed',
  ],
  [
    'how much of a series is meant',
    () => {
      draw(EventDialogs);
      const event = fake.world.tables.events.find((one) => one.id === 'e-raj');
      if (event) void eventBox.scopeOf(event, 'delete');
    },
    en['today.scope_series'],
  ],
];

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each with its own properties.
const draw = (part: Component<any>, props: object = {}) => render(part, props);

async function type(role: string, words: string, _: unknown) {
  await tick();
  await fireEvent.input(screen.getByRole(role), { target: { value: words } });
}

it.each(PARTS)('every word of %s comes from the catalogue', async (_, open, there) => {
  await world();
  await open();
  expect(await pastCatalogue(document.body, there)).toEqual([]);
});

it('finds a word that was written past the catalogue (this check can fail)', () => {
  expect(foreign('⟦Due⟧ Tue 13 Jan · Renew passport · Overdue', 'renew passport')).toEqual(['Overdue']);
  expect(foreign('⟦Added by ⟦You⟧⟧, 09:24', '')).toEqual([]);
});
