import { usage } from './fake/costs';
import { INVITATIONS, leavingOf, pageOf } from './fake/mail-page';
import type { Answers } from './fake/ops/answers';
import { data } from './fake/ops/data';
import { models } from './fake/ops/models';
import { settings } from './fake/ops/settings';
import { talk } from './fake/ops/talk';
import { isReadOnly, unwritable, WRITES, type Scenario } from './fake/scenario';
import { World } from './fake/world';
import { HostFault, type Files, type Host } from './host';
import type { Args, Op, Replies } from './wire';

const query = new URLSearchParams(typeof location === 'undefined' ? '' : location.search);

const OWN = 'Work';
const SAMPLE = 'sample';

/** Subscribers to the whole profile subscribe once per window, so a new world takes them over. */
const wide = new Set<Parameters<Host['subscribe']>[1]>();

/** Handles for tests; the window sees only the `Host`. */
export const fake = {
  world: null as unknown as World,
  /** Links the window would have opened, and text it would have copied. */
  opened: [] as string[],
  copied: [] as string[],
  /** Files the window would have saved, by name. */
  saved: {} as Record<string, string>,
  calls: [] as { op: Op; args: unknown }[],
  /** Lets a test make a request fail the way the engine does. */
  HostFault,
  /** HTML bodies of mails by id, in place of their own. */
  pages: {} as Record<string, string>,
  /** What mails carry for the calendar, by their ids. */
  invitations: INVITATIONS,
  /** Past model usage. */
  usage,
  /** What this window was told to do: `hide`, `height 420`, `open chat/main`. */
  window: [] as string[],
  /** The open profile, and profiles that cannot be opened. */
  profile: query.get('profile') ?? OWN,
  locked: ['Archive'],
  /** Shows the window again, as the shortcut does. */
  shown: (): void => undefined,
  reset(scenario: Scenario = 'populated', pace = 1): void {
    const started = performance.now();
    fake.world = new World({ scenario, pace, elapsed: () => performance.now() - started });
    for (const on of wide) fake.world.subscribe(null, 0, on);
    fake.opened = [];
    fake.copied = [];
    fake.saved = {};
    fake.calls = [];
    fake.window = [];
    fake.invitations = INVITATIONS;
  },
};

/** The in-memory host for browser tests and for development without the engine. It is never part of a release. */
export function createHost(): Host {
  fake.reset((query.get('fake') as Scenario | null) ?? 'populated', Number(query.get('pace') ?? 1));
  if (typeof window !== 'undefined') (window as unknown as { fake: typeof fake }).fake = fake;
  return {
    async call<K extends Op>(op: K, args: Args<K>): Promise<Replies[K]> {
      fake.calls.push({ op, args });
      await fake.world.pause(1);
      if (isReadOnly(fake.world.options.scenario) && WRITES.has(op)) throw unwritable();
      const before = fake.world.lengths();
      const reply = structuredClone(await ANSWERS[op](fake.world, args));
      // The sequence number of this request's first event, which the answers do not know.
      if (reply.reply === 'turn') reply.seq = (before.get(reply.conversation) ?? 0) + 1;
      return reply;
    },
    subscribe: (from, on) => {
      const off = fake.world.subscribe(from.conversation, from.from_seq, on);
      if (from.conversation !== null) return off;
      wide.add(on);
      return () => {
        wide.delete(on);
        off();
      };
    },
    async openLink(url) {
      fake.opened.push(url);
    },
    choosePaths: async (kind) =>
      kind === 'folder' ? ['/home/mara/Documents'] : ['/home/mara/Documents/work.ics', '/home/mara/Documents/plan.pdf'],
    async copy(text) {
      fake.copied.push(text);
    },
    async saveText(name, _, text) {
      fake.saved[name] = text;
      return `/home/mara/Documents/${name}`;
    },
    async showPath(path) {
      fake.opened.push(path);
    },
    onFiles,
    profiles: async () => ({
      current: fake.profile,
      own: OWN,
      sample: SAMPLE,
      names: [OWN, ...fake.locked, SAMPLE],
    }),
    async switchProfile(name) {
      await fake.world.pause(1);
      if (fake.locked.includes(name)) {
        throw new HostFault({
          code: 'newer',
          message: `The profile “${name}” could not be opened. A newer Adjutant has written it.`,
          hint: `Update this one. You are still in “${fake.profile}”.`,
        });
      }
      fake.window.push(`profile ${name}`);
      query.set('profile', name);
      query.set('fake', 'populated');
      location.assign(`?${query.toString()}`);
    },
    window: {
      async openMain(route) {
        fake.window.push(`open ${route}`);
        location.hash = `#/${route}`;
      },
      onRoute: () => () => undefined,
      async hide() {
        fake.window.push('hide');
      },
      async setHeight(px) {
        fake.window.push(`height ${px}`);
      },
      onShown(on) {
        fake.shown = on;
        return () => undefined;
      },
    },
  };
}

/** In a browser a dropped file has a name but no path, so it gets one. */
function onFiles(on: (files: Files) => void): () => void {
  let depth = 0;
  const enter = (event: DragEvent) => {
    event.preventDefault();
    depth += 1;
    if (depth === 1) on({ state: 'over' });
  };
  const over = (event: DragEvent) => event.preventDefault();
  const leave = () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) on({ state: 'left' });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    depth = 0;
    const names = [...(event.dataTransfer?.files ?? [])].map((file) => file.name);
    on({ state: 'dropped', paths: names.map((name) => `/home/mara/Downloads/${name}`) });
  };
  const all = { dragenter: enter, dragover: over, dragleave: leave, drop } as const;
  for (const [name, run] of Object.entries(all)) addEventListener(name, run as EventListener);
  return () => {
    for (const [name, run] of Object.entries(all)) removeEventListener(name, run as EventListener);
  };
}

const ANSWERS: Answers = {
  ...talk,
  ...models,
  ...settings,
  ...data,
  mail_page: (world, { id, images }) => ({
    reply: 'mail_page',
    page: pageOf(world, id, images, fake.pages),
    leaving: leavingOf(id),
  }),
  mail_invitation: (_, { id }) => ({ reply: 'mail_invitation', invitation: fake.invitations[id] ?? null }),
  status: (world) => ({ reply: 'status', status: { ...world.status(), profile: fake.profile } }),
};
