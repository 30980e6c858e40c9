import type { AccountRow, Replies } from '../../wire';
import type { World } from '../world';
import { HostFault } from '../../host';
import { accountKinds } from '../accounts';
import { checks, tools } from '../recorded';
import { isReadOnly } from '../scenario';
import { ok, type Answers } from './answers';

const SECRETS = new Set(['web.tavily.key', 'web.brave.key']);

/** Whether a secret setting is in the keyring; the engine never tells more. */
const secretOf = (world: World, key: string) => ({
  reply: 'config' as const,
  settings: [
    {
      ...{ key, value: world.secrets.has(key) ? 'in the keyring' : '', default: '', origin: 'keyring', choices: [] },
      help: 'Key of the search engine, kept in the keyring of this computer.',
    },
  ],
});

const accounts = (list: AccountRow[]): Replies['add_account'] => ({
  reply: 'rows',
  rows: { topic: 'accounts', list: structuredClone(list) },
});

/** Answers about settings, accounts and the profile as a whole. */
export const settings = {
  config_list: async (world) => {
    // As for any table, the scenario decides whether this fails or never answers.
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
  servers: (world, { request }) => world.servers.answer(request),
  programs: () => ({ reply: 'program_answered', answer: { answered: 'actions', actions: [] } }),
  tools: () => ({ reply: 'tools', tools }),
  load_sample: () => ({ reply: 'profile', name: 'sample' }),
  erase: (world) => {
    world.erase();
    return ok;
  },
  export: (_, { dir }) => ({ reply: 'exported', dir, files: ['tasks.csv', 'calendar.ics', 'notes'] }),
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
} satisfies Answers<
  | 'config_list'
  | 'config_get'
  | 'config_set'
  | 'secret_set'
  | 'doctor'
  | 'account_kinds'
  | 'add_account'
  | 'begin_sign_in'
  | 'cancel_sign_in'
  | 'change_account'
  | 'sync_accounts'
  | 'remove_account'
  | 'prefer_collection'
  | 'servers'
  | 'programs'
  | 'tools'
  | 'load_sample'
  | 'erase'
  | 'export'
  | 'import'
>;
