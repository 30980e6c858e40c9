import { play } from './fake/script';
import { World, type Scenario } from './fake/world';
import { HostFault, type Host } from './host';
import type { Op, Ops, Reply } from './wire';

const query = new URLSearchParams(typeof location === 'undefined' ? '' : location.search);

/** What tests reach into; the window itself only sees the `Host`. */
export const fake = {
  world: null as unknown as World,
  /** Addresses that would have been opened, texts that would have been copied. */
  opened: [] as string[],
  copied: [] as string[],
  calls: [] as { op: Op; args: unknown }[],
  reset(scenario: Scenario = 'populated', pace = 1): void {
    const started = performance.now();
    fake.world = new World({ scenario, pace, elapsed: () => performance.now() - started });
    fake.opened = [];
    fake.copied = [];
    fake.calls = [];
  },
};

/** The scripted host for browser tests and for working on the window without the engine. Never in what ships. */
export function createHost(): Host {
  fake.reset((query.get('fake') as Scenario | null) ?? 'populated', Number(query.get('pace') ?? 1));
  if (typeof window !== 'undefined') (window as unknown as { fake: typeof fake }).fake = fake;
  return {
    async call<K extends Op>(op: K, args: Ops[K]['args']): Promise<Reply<K>> {
      fake.calls.push({ op, args });
      await fake.world.pause(1);
      return structuredClone(await answer(fake.world, op, args as never)) as Reply<K>;
    },
    subscribe: (from, on) => fake.world.subscribe(from.conversation, from.from_seq, on),
    async openLink(url) {
      fake.opened.push(url);
    },
    choosePaths: async () => ['/home/mara/Documents'],
    async copy(text) {
      fake.copied.push(text);
    },
    window: {
      async openMain(route) {
        location.hash = `#/${route}`;
      },
      onRoute: () => () => undefined,
      hide: async () => undefined,
      setHeight: async () => undefined,
      onShown: () => () => undefined,
    },
  };
}

type Answers = { [K in Op]: (world: World, args: Ops[K]['args']) => Reply<K> | Promise<Reply<K>> };

const ANSWERS: Answers = {
  ask: (world, { conversation, text }) => {
    if (world.options.scenario === 'failing') {
      throw new HostFault({
        code: 'disk_full',
        message: 'The disk is full.',
        hint: 'Free some space, then send it again.',
      });
    }
    const id = conversation ?? world.fresh('c');
    if (!world.conversations.some((one) => one.id === id)) {
      world.conversations = [{ id, title: text.slice(0, 40), updated: world.iso() }, ...world.conversations];
      world.changed('conversations');
    }
    const turn = world.fresh('turn');
    void play(world, id, turn, text);
    return { conversation: id, turn };
  },
  answer: (world, { text }) => {
    const id = world.conversations[0]?.id ?? 'main';
    const turn = world.fresh('turn');
    void play(world, id, turn, text.replace(/\bana\b/i, ''));
    return { conversation: id, turn };
  },
  approve: (world, { id, digest }) => world.approve(id, digest),
  reject: (world, { id }) => world.reject(id),
  edit: (world, { id, changes, drop }) => world.edit(id, changes, drop),
  ask_again: (world, { id }) => world.again(id),
  take_back: (world, { id }) => world.put({ ...world.approval(id), state: 'cancelled', not_before: null }),
  send_now: (world, { id }) => {
    world.finish(id);
    return world.approval(id);
  },
  check_again: (world, { id }) => world.approval(id),
  interrupt: (world, { turn }) => {
    world.interrupt(turn);
    return null;
  },
  undo: (world, { id }) => world.undo(id),
  undo_last: (world) => world.undo(null),
  show: (world, { what, id, limit }) => world.show(what, id, limit),
  conversation: (world, { id, turns, before_seq }) => world.conversation(id, turns, before_seq),
  conversation_rename: (world, { id, title }) => {
    world.conversations = world.conversations.map((one) => (one.id === id ? { ...one, title } : one));
    world.changed('conversations');
    return null;
  },
  conversation_delete: (world, { id }) => {
    world.conversations = world.conversations.filter((one) => one.id !== id);
    world.changed('conversations');
    return null;
  },
  search: (world, { text, limit }) => world.search(text, limit),
  apply: (world, { tool, args }) => world.apply(tool, args as Record<string, unknown>),
  config_get: (world) => world.config,
  config_set: (world, { key, value }) => {
    world.config = { ...world.config, [key]: value };
    world.changed('config');
    return null;
  },
  import: (_, { paths }) => [
    {
      kind: 'events',
      added: 12 * paths.length,
      unchanged: 3,
      rejected: [{ item: 'broken.ics, line 40', reason: 'The end is before the start.' }],
    },
  ],
  export: () => ({ files: 9, bytes: 1_240_000 }),
  erase: () => null,
  status: (world) => world.status(),
  profile_open: () => null,
  sample: () => null,
};

function answer<K extends Op>(world: World, op: K, args: Ops[K]['args']): Reply<K> | Promise<Reply<K>> {
  return ANSWERS[op](world, args);
}
