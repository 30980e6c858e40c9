import { accountKinds } from './fake/accounts';
import { offered } from './fake/calendar';
import { usage } from './fake/costs';
import { STOPPED } from './fake/models';
import { editPlan } from './fake/plan';
import { glance } from './fake/answers';
import { turned } from './fake/grants';
import { leavingOf, pageOf } from './fake/mail-page';
import * as research from './fake/research';
import { play } from './fake/script';
import { checks, tools } from './fake/recorded';
import { scoreboard } from './fake/scoreboard';
import { isReadOnly, unwritable, WRITES, type Scenario } from './fake/scenario';
import * as talks from './fake/talks';
import { World } from './fake/world';
import { HostFault, type Files, type Host } from './host';
import type { AccountRow, Args, Id, Op, Replies, Topic } from './wire';

const SECRETS = new Set(['web.tavily.key', 'web.brave.key']);

/** Whether a secret setting is in the keyring: all that is ever told of it. */
const secretOf = (world: World, key: string) => ({
  reply: 'config' as const,
  settings: [
    {
      ...{ key, value: world.secrets.has(key) ? 'in the keyring' : '', default: '', origin: 'keyring', choices: [] },
      help: 'Key of the search engine, kept in the keyring of this computer.',
    },
  ],
});

const query = new URLSearchParams(typeof location === 'undefined' ? '' : location.search);

const OWN = 'Work';
const SAMPLE = 'sample';

/** Who follows the whole profile does so once for the life of the window, whatever world it is. */
const wide = new Set<Parameters<Host['subscribe']>[1]>();

/** What tests reach into; the window itself only sees the `Host`. */
export const fake = {
  world: null as unknown as World,
  /** Addresses that would have been opened, texts that would have been copied. */
  opened: [] as string[],
  copied: [] as string[],
  /** Files that would have been saved, by their names. */
  saved: {} as Record<string, string>,
  calls: [] as { op: Op; args: unknown }[],
  /** For tests that let a request fail as the engine does. */
  HostFault,
  /** The HTML of mails, by their ids, instead of what they have. */
  pages: {} as Record<string, string>,
  /** What models cost until now. */
  usage,
  /** What this window was asked to do: `hide`, `height 420`, `open chat/main`. */
  window: [] as string[],
  /** The profile that is open, and those that cannot be. */
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
  },
};

/** The scripted host for browser tests and for working on the window without the engine. Never in what ships. */
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
      // Where the events of this request begin, known only here.
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

/** In a browser a dropped file has a name and no place; it gets one. */
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

type Answers = { [K in Op]: (world: World, args: Args<K>) => Replies[K] | Promise<Replies[K]> };

const ok = { reply: 'ok' } as const;
const turn = ({ conversation, turn }: { conversation: string; turn: string }) =>
  ({ reply: 'turn', conversation, turn, seq: 0 }) as const;

const nothing: Awaited<Replies['estimate_routes']> = {
  reply: 'estimated',
  estimate: { requests: [], at_most_micros: 0, at_most: '0.00', currency: 'USD', over_call_limit: false },
};

/** What models were asked until now. */
function turnGrant(world: World, id: Id, to: 'revoked' | 'holds'): Replies['revoke_grant'] {
  const { all, row } = turned(world.grants, id, to);
  world.grants = all;
  world.changed('approvals');
  return { reply: 'rows', rows: { topic: 'grants', list: [row] } };
}

const asked = (world: World) => (world.options.scenario === 'empty' ? [] : usage);
const backgroundLimit = (world: World) =>
  Number(world.settings.find((one) => one.key === 'models.spend.background_day')?.value ?? 0);

/** Topics of which the engine says how many rows there are. */
const COUNTED = new Set<Topic>([
  ...(['tasks', 'events', 'notes', 'memories', 'past_memories', 'mail', 'outbox', 'contacts'] as const),
  ...(['conversations', 'archived_conversations'] as const),
]);

const accounts = (list: AccountRow[]): Replies['add_account'] => ({
  reply: 'rows',
  rows: { topic: 'accounts', list: structuredClone(list) },
});

const ANSWERS: Answers = {
  ask: (world, { conversation, text }) => {
    if (world.options.scenario === 'failing') {
      throw new HostFault({
        code: 'disk_full',
        message: 'The disk is full.',
        hint: 'Free some space, then send it again.',
      });
    }
    if (!world.tables.conversations.some((one) => one.id === conversation)) {
      const at = world.iso();
      const made = {
        ...{ id: conversation, title: text.slice(0, 40), updated: at, created: at },
        ...{ messages: 1, pinned: false, archived: false },
      };
      world.tables.conversations = [made, ...world.tables.conversations];
      world.changed('conversations');
    }
    const id = world.fresh('turn');
    void play(world, conversation, id, text);
    return turn({ conversation, turn: id });
  },
  retry: (world, { turn: of, text }) => {
    const found = world.turnOf(of);
    const started = found?.said.find((event) => event.event === 'turn_started');
    if (!found || !started) {
      const fault = { code: 'not_found', message: `There is no turn ${of}.` };
      throw new HostFault({ ...fault, hint: 'The conversation shows what was asked.' });
    }
    const id = world.fresh('turn');
    void play(world, found.conversation, id, text ?? started.text, of);
    return turn({ conversation: found.conversation, turn: id });
  },
  answer: (world, { value }) => {
    const conversation = world.tables.conversations[0]?.id ?? 'main';
    const id = world.fresh('turn');
    void play(world, conversation, id, `Answered ${String(value)}`);
    return turn({ conversation, turn: id });
  },
  approve: async (world, { id, digest }) => turn(await world.approve(id, digest)),
  reject: (world, { id }) => turn(world.reject(id)),
  edit: (world, { id, args, call }) => turn(world.again(id, args, call)),
  edit_plan: (world, { turn: of, change }) => turn(editPlan(world, of, change)),
  ask_again: (world, { id }) => turn(world.again(id)),
  undo: (world, { id }) => turn(world.undo(id)),
  interrupt: (world, { conversation }) => {
    world.interrupt(conversation);
    return ok;
  },
  apply: (world, { tool, args }) => ({
    reply: 'applied',
    outcome: world.apply(tool, args as Parameters<World['apply']>[1]),
  }),
  outbox: (world, { id, act }) => ({ reply: 'applied', outcome: world.outbox(id, act) }),
  use_memory: (world, { id, on }) => ({ reply: 'applied', outcome: world.useMemory(id, on) }),
  repeats: (_, { rule, last }) => ({ reply: 'repeats', rules: offered(rule, last) }),
  research: (world, { act }) => ({ reply: 'research', found: research.act(world, act) }),
  memory_uses: (world, { id }) => world.memoryUses(id),
  notify: () => ok,
  subscribe: () => ok,
  show: async (world, { what, id, limit, offset, from, to, text, only }) => {
    if (what === 'conversations' && text?.trim()) {
      const list = talks.find(world, text).slice(0, limit ?? undefined);
      return { reply: 'rows', rows: { topic: 'conversations', list }, total: list.length };
    }
    const rows = await world.show(what, id, null, from, to, only);
    const words = text?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
    const has = (row: unknown) => {
      const all = JSON.stringify(row).toLowerCase();
      return words.every((word) => all.includes(word));
    };
    const all = words.length === 0 ? rows.list : rows.list.filter(has);
    const list = all.slice(offset ?? 0).slice(0, limit ?? undefined);
    const total = id === null && COUNTED.has(what) ? { total: all.length } : {};
    return { reply: 'rows', rows: { ...rows, list } as typeof rows, ...total };
  },
  mail_page: (world, { id, images }) => ({
    reply: 'mail_page',
    page: pageOf(world, id, images, fake.pages),
    leaving: leavingOf(id),
  }),
  search: (world, { text, limit }) => ({ reply: 'hits', hits: world.search(text, limit) }),
  explain: (world, { text }) => {
    const estimate = world.models.estimate(text);
    return {
      reply: 'explained',
      reading: {
        type: 'chat',
        domains: [],
        confidence: 1,
        reading: 'not_understood',
        request: '',
        steps: [],
        lines: [],
        ...(estimate ? { estimate } : {}),
      },
    };
  },
  glance: (world, { text }) => {
    const found = glance(world, text);
    return { reply: 'glanced', ...(found ? { glance: found } : {}) };
  },
  estimate_routes: () => nothing,
  estimate_comparison: (world, { name }) => ({
    reply: 'estimated',
    estimate: world.models.comparison(name, asked(world), backgroundLimit(world)),
  }),
  estimate_vectors: (world, { connection }) => ({
    reply: 'estimated',
    estimate: world.models.vectors(connection, backgroundLimit(world)),
  }),
  route_by_model: () => ({
    reply: 'routed_by_model',
    routed: { type: 'chat', domains: [], is_followup: false, confidence: 1, by: '', cost_micros: 0 },
  }),
  rename_conversation: (world, { id, title }) => talks.place(world, id, { title }),
  pin_conversation: (world, { id, on }) => talks.place(world, id, { pinned: on }),
  archive_conversation: (world, { id, on }) => talks.place(world, id, { archived: on }),
  delete_conversation: (world, { id }) => talks.remove(world, id),
  restore_conversation: (world, { id }) => talks.restore(world, id),
  import: async (world, { paths }) => {
    for (const [at, path] of paths.entries()) {
      world.tell({ event: 'progress', what: path.split('/').at(-1) ?? path, done: (at + 1) * 12, total: null });
      await world.pause(400);
    }
    return {
      reply: 'imported',
      report: {
        counts: [{ topic: 'events', added: 12 * paths.length, changed: 0, same: 3 }],
        rejected: [{ file: 'broken.ics', item: 'line 40', reason: 'The end is before the start.' }],
      },
    };
  },
  export: (_, { dir }) => ({ reply: 'exported', dir, files: ['tasks.csv', 'calendar.ics', 'notes'] }),
  erase: (world) => {
    world.erase();
    return ok;
  },
  tools: () => ({ reply: 'tools', tools }),
  config_list: async (world) => {
    // Like any table: the scenario decides whether it comes.
    await world.show('outbox', null, null);
    return { reply: 'config', settings: world.settings };
  },
  config_get: (world, { key }) =>
    SECRETS.has(key)
      ? secretOf(world, key)
      : { reply: 'config', settings: world.settings.filter((one) => one.key === key) },
  config_set: (world, { key, value }) => {
    if (key === 'desktop.text_size' && Number(value) > 200) {
      throw new HostFault({ code: 'usage', message: 'Text size is a number from 80 to 200.', hint: '' });
    }
    world.settings = world.settings.map((one) =>
      one.key === key ? { ...one, value: value ?? one.default, origin: value === null ? 'default' : 'profile' } : one,
    );
    world.changed('settings');
    return { reply: 'config', settings: world.settings.filter((one) => one.key === key) };
  },
  secret_set: (world, { key, value }) => {
    if (value === null) world.secrets.delete(key);
    else world.secrets.add(key);
    world.changed('settings');
    return secretOf(world, key);
  },
  doctor: (world) => ({
    reply: 'doctor',
    checks: checks.map((one) =>
      one.name === 'Profile' && isReadOnly(world.options.scenario)
        ? {
            name: 'Profile',
            state: 'broken',
            found: '/home/mara/.local/share/adjutant/work cannot be written: that place is read-only',
            hint: 'Free some space or make the folder writable. Nothing stored is lost.',
          }
        : one,
    ),
  }),
  run_due: () => ({ reply: 'due_done', done: [] }),
  stop_job: (world, { id }) => {
    const job = world.jobs.find((one) => one.id === id);
    if (!job) throw new HostFault({ code: 'not_found', message: `There is no job “${id}”.`, hint: '' });
    Object.assign(job, { state: 'stopped', next: null, stoppable: false });
    world.changed('jobs');
    return { reply: 'rows', rows: { topic: 'jobs', list: structuredClone([job]) } };
  },
  status: (world) => ({ reply: 'status', status: { ...world.status(), profile: fake.profile } }),
  scoreboard: () => ({ reply: 'scoreboard', scoreboard }),
  timings: () => ({ reply: 'timings', stages: scoreboard.stages }),
  models: async (world) => {
    await world.show('outbox', null, null);
    return { reply: 'models', models: world.models.view() };
  },
  find_models: (world) => ({ reply: 'found_models', servers: world.models.find() }),
  list_models: (world, { connection }) => ({ reply: 'model_list', models: world.models.list(connection) }),
  connect_model: (world, { connection, key }) => ({
    reply: 'models',
    models: world.models.connect(connection, key),
  }),
  model_files: (world) => ({ reply: 'model_files', files: world.models.files() }),
  offer_model_file: async (world, { what, sha256 }) => {
    await world.pause(200);
    return { reply: 'model_offer', offer: world.models.offer(what, sha256) };
  },
  fetch_model_file: async (world, { what }) => {
    const path = await world.models.fetch(what, async (done, total) => {
      world.tell({ event: 'progress', what: `${what}.gguf`, done, total });
      await world.pause(400);
    });
    const { bytes } = world.models.offer(what, null);
    world.tell({ event: 'progress', what: `${what}.gguf`, done: bytes, total: bytes, ended: {} });
    return { reply: 'model_file', file: { path, checked: true } };
  },
  stop_model_file: (world) => {
    const now = world.models.fetching;
    world.models.fetching = null;
    if (now) {
      const { file, done, total } = now;
      world.tell({ event: 'progress', what: file, done, total, ended: { fault: STOPPED } });
    }
    return ok;
  },
  disconnect_model: (world, { name }) => ({ reply: 'models', models: world.models.disconnect(name) }),
  prefer_model: (world, { name }) => ({ reply: 'models', models: world.models.prefer(name) }),
  comparisons: (world) => ({ reply: 'comparisons', comparisons: world.models.comparisons }),
  test_model: (world, { name, tier }) => ({ reply: 'model_test', test: world.models.test(name, tier) }),
  account_kinds: () => ({ reply: 'account_kinds', kinds: accountKinds }),
  add_account: async (world, asked) =>
    asked.sign_in ? await world.accounts.untilSignedIn() : accounts(world.accounts.add(asked)),
  begin_sign_in: (world, asked) => ({ reply: 'sign_in', ...world.accounts.begin(asked) }),
  cancel_sign_in: (world) => {
    world.accounts.cancel();
    return ok;
  },
  change_account: (world, asked) => accounts(world.accounts.change(asked)),
  sync_accounts: (world, { id }) => accounts(world.accounts.read(id ?? null)),
  remove_account: (world, { id }) => {
    world.accounts.remove(id);
    return { reply: 'ok' };
  },
  prefer_collection: (world, { kind, id }) => {
    const list = world.prefer(kind, id ?? null);
    return { reply: 'rows', rows: { topic: 'collections', list: structuredClone(list) } };
  },
  grant: () => {
    const message = 'This can only be allowed one at a time.';
    throw new HostFault({ code: 'not_granted', message, hint: 'Approve it as it is shown.' });
  },
  revoke_grant: (world, { id }) => turnGrant(world, id, 'revoked'),
  restore_grant: (world, { id }) => turnGrant(world, id, 'holds'),
  servers: (world, { request }) => world.servers.answer(request),
  programs: () => ({ reply: 'program_answered', answer: { answered: 'actions', actions: [] } }),
  load_sample: () => ({ reply: 'profile', name: 'sample' }),
};
