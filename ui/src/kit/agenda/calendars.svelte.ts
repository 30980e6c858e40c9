import { faultOf, host, show, type CollectionRow, type Id } from '../../host';
import { cachedQuery, type Query } from '../query.svelte';
import { toasts } from '../toast.svelte';
import { calendarsOf, grouped, lookOf, looksIn, withLooks, type CalendarGroup, type CalendarLook } from './calendars';

const HIDDEN = 'calendar.hidden';
const COLOURS = 'calendar.colours';

interface Loaded {
  groups: CalendarGroup[];
  hidden: Id[];
  /** The colours, as the setting holds them. */
  colours: string;
}

const written = (looks: ReadonlyMap<Id, CalendarLook>) => JSON.stringify(Object.fromEntries(looks));

/** Keeps the colours that calendars got when they were first seen, so that later calendars do not change them. */
async function keptColours(setting: string, collections: readonly CollectionRow[]): Promise<string> {
  const kept = looksIn(setting);
  const all = withLooks(collections, kept);
  if (all.size === kept.size) return setting;
  const value = written(all);
  // If this cannot be stored, the colours are the same in the next attempt.
  await host.call('config_set', { key: COLOURS, value }).catch(() => undefined);
  return value;
}

async function load(): Promise<Loaded> {
  const value = async (key: string) => (await host.call('config_get', { key })).settings[0]?.value ?? '';
  const [accounts, collections, off, stored] = await Promise.all([
    show(host, 'accounts'),
    show(host, 'collections'),
    value(HIDDEN),
    value(COLOURS),
  ]);
  const hidden = off
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  const colours = await keptColours(stored, collections);
  const calendars = calendarsOf(collections, hidden, looksIn(colours));
  return { groups: grouped(calendars, collections, accounts), hidden, colours };
}

/** The calendars of a surface, with their visibility and colours. The person's choices are stored as settings. */
export class Calendars {
  #asked: Query<Loaded> = cachedQuery(['accounts', 'collections', 'settings', 'events'], () => 'calendars', load);

  groups = $derived(this.#asked.data?.groups ?? []);
  all = $derived(this.groups.flatMap((group) => group.calendars));
  look = $derived(lookOf(this.all));
  hidden = $derived(this.all.filter((one) => !one.shown).length);
  /** Surfaces draw no events until they know which calendars are hidden. */
  known = $derived(this.#asked.data !== undefined || this.#asked.error !== null);

  async show(id: Id, on: boolean): Promise<void> {
    const before = this.#asked.data?.hidden ?? [];
    const hidden = on ? before.filter((one) => one !== id) : [...new Set([...before, id])];
    await this.#keep(HIDDEN, hidden.join(', '));
  }

  async paint(id: Id, look: CalendarLook): Promise<void> {
    const looks = looksIn(this.#asked.data?.colours ?? '').set(id, look);
    await this.#keep(COLOURS, written(looks));
  }

  async #keep(key: string, value: string): Promise<void> {
    try {
      await host.call('config_set', { key, value });
    } catch (thrown) {
      const { message, hint } = faultOf(thrown);
      toasts.show(`${message} ${hint}`.trim());
    }
    await this.#asked.reload();
  }
}
