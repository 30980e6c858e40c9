import { render } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { fake } from '../host/fake';
import { offered } from '../host/fake/calendar';
import { checks } from '../host/fake/recorded';
import { pages } from '../host/fake/research-rows';
import { clock } from '../kit/clock.svelte';
import { live } from '../kit/live.svelte';
import { eventually } from '../kit/test/eventually';
import type { Entry } from '../kit/strings';
import { en } from '../kit/strings/en';
import type * as words from '../kit/strings/words';
import Rail from './Rail.svelte';
import { surfaces } from './surfaces';

// A language in which every entry of the catalogue stands in brackets. What is read or heard outside of them must be data,
// a date or the name of a key: any other words were written past the catalogue.

vi.mock('../kit/strings/words', async (original) => {
  const real = await original<typeof words>();
  const marked = (entry: Entry | undefined): Entry | undefined => {
    if (typeof entry === 'string') return `⟦${entry}⟧`;
    return entry && { one: `⟦${entry.one}⟧`, other: `⟦${entry.other}⟧` };
  };
  return { ...real, entryOf: (key: string) => marked(real.entryOf(key)) };
});

const SPOKEN = ['aria-label', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt'];
const KEYS = /^(Esc|Enter|Tab|Shift|Space|Ctrl|Alt|Delete|Home|End|[A-Z])( [A-Z])?$/;

/** Marks of Markdown, which are not drawn. */
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

/** Everything the host told, as one text. Descriptions of tools are long and nowhere shown. */
function told(): string {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value.replace(MARKUP, ''));
    else if (Array.isArray(value)) value.forEach(walk);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(walk);
  };
  const { world } = fake;
  walk([world.tables, world.approvals, world.settings, world.status(), world.models.view(), world.models.files()]);
  walk([world.models.find(), checks, offered(null, null), world.research, pages]);
  for (const { id } of world.tables.conversations) world.subscribe(id, 0, walk)();
  return texts.join('\n').replace(/\s+/g, ' ').toLowerCase();
}

/** What is left of a text without the words of the catalogue and without data. */
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

function visible(root: HTMLElement): string[] {
  const texts = [...root.querySelectorAll('*')].flatMap((element) =>
    SPOKEN.map((name) => element.getAttribute(name) ?? ''),
  );
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement?.closest('style, script')) texts.push(walker.currentNode.textContent ?? '');
  }
  return texts.filter((text) => text.trim() !== '');
}

/** Places of each surface, with something that is there once the place is drawn whole. */
const PLACES: Record<string, [id: string | null, there: string][]> = {
  chat: [
    ['main', 'You’re both free Thursday'],
    ['c-lease', 'She asks for a signed copy'],
  ],
  today: [[null, 'Pricing review']],
  research: [
    [null, 'Train to London'],
    ['new', 'Nothing leaves'],
    ['r-ask', 'To book a trip'],
    ['r-pump', 'Which rebates can'],
    ['r-done', 'Likely yes'],
  ],
  approvals: [
    ['a-mail', 'Thank you for the draft'],
    ['a-batch', 'Return the drill'],
    ['a-unknown', 'Invoice to Bergmann AG'],
    ['o-draft', 'did you find the address'],
  ],
  tasks: [
    [null, 'Renew passport'],
    ['t-plants', en['field.rrule']],
  ],
  notes: [['n-raj', 'Wants the Q4 totals']],
  calendar: [[null, 'Pricing review']],
  mail: [[null, 'Hannah Voss']],
  contacts: [[null, 'Raj Patel']],
  memory: [['m-raj', 'so nothing after 1 pm our time']],
  activity: [
    ['r-train', en['activity.col_asked']],
    ['r-invoice', 'may have been sent'],
  ],
  settings: (['you', 'time', 'files', 'notifications', 'appearance', 'keyboard', 'data', 'health'] as const).map(
    (section): [string, string] => [section, en[`settings.${section}_lead`]],
  ),
};

it.each(surfaces.map((surface) => [surface.name, surface] as const))(
  'every word of the surface %s comes from the catalogue',
  async (name, { load }) => {
    expect(PLACES[name], 'a new surface says what is there').toBeDefined();
    clock.now = () => fake.world.now();
    live.start();
    live.wantEffects();
    const { default: Surface } = await load();
    for (const [id, there] of PLACES[name] ?? []) {
      const { container, unmount } = render(Surface, { id });
      await eventually(() => expect(visible(container).join('\n')).toContain(there));
      const data = told();
      expect({ id, foreign: [...new Set(visible(container).flatMap((text) => foreign(text, data)))] }).toEqual({
        id,
        foreign: [],
      });
      unmount();
    }
  },
);

it('every word of the rail comes from the catalogue', () => {
  const { container } = render(Rail);
  expect(visible(container).flatMap((text) => foreign(text, told()))).toEqual([]);
});

it('finds a word that was written past the catalogue (this check can fail)', () => {
  expect(foreign('⟦Due⟧ Tue 13 Jan · Renew passport · Overdue', 'renew passport')).toEqual(['Overdue']);
  expect(foreign('⟦Added by ⟦You⟧⟧, 09:24', '')).toEqual([]);
});
