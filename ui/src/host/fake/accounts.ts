import { HostFault } from '../host';
import type { AccountKind, AccountRow, Args, Id } from '../wire';
import { fault } from './scenario';

/** The kinds of account the person can connect, as the engine lists them. */
export const accountKinds: AccountKind[] = [
  {
    kind: 'ics',
    label: 'Calendar by address',
    about: 'Subscribe to a calendar. It is read only.',
    signs_in: 'here',
    fields: [
      {
        name: 'address',
        label: 'Address of the calendar',
        hint: 'It begins with https:// or webcal:// and often ends in .ics.',
        form: 'text',
        choices: [],
        required: false,
      },
      {
        name: 'private_address',
        label: 'Or its private address',
        hint: 'An address that opens the calendar to anyone who knows it. It is kept in the keyring.',
        form: 'private_text',
        choices: [],
        required: false,
      },
      {
        name: 'certificate',
        label: 'Trusted certificate',
        hint: 'Only for a server of your own that no authority vouches for: the SHA-256 fingerprint of its certificate.',
        form: 'text',
        choices: [],
        required: false,
      },
    ],
  },
  {
    kind: 'google',
    label: 'Google',
    about: 'Calendar, mail, tasks and contacts of a Google account.',
    signs_in: 'browser',
    fields: [
      ...['Calendar', 'Mail', 'Tasks', 'Contacts'].map((label) => ({
        name: label.toLowerCase(),
        label,
        hint: '',
        form: 'choice' as const,
        choices: [
          { value: 'read', label: 'Read' },
          { value: 'change', label: 'Read and change' },
          { value: 'no', label: 'Leave out' },
        ],
        required: false,
      })),
      {
        name: 'client_id',
        label: 'Your own client ID',
        hint: 'Of an OAuth client for desktop apps, from the Google Cloud console. Needed if Adjutant has none built in.',
        form: 'text',
        choices: [],
        required: false,
      },
      {
        name: 'client_secret',
        label: 'Its client secret',
        hint: '',
        form: 'password',
        choices: [],
        required: false,
      },
    ],
  },
];

const READ = '2026-01-15T10:30:00+01:00';

/** Accounts as the engine keeps them: connected at once, synced on request. */
export class Accounts {
  rows: AccountRow[] = [
    {
      id: 'local',
      kind: 'local',
      label: 'This computer',
      addresses: [],
      state: 'ready',
      settings: {},
      read: null,
      problem: null,
      reading: false,
    },
  ];

  /** Rejects the pending sign-in. */
  #giveUp: ((fault: HostFault) => void) | null = null;

  begin({ kind, settings }: Args<'begin_sign_in'>): { id: Id; address: string } {
    if (kind === 'google' && !settings.client_id) {
      const hint =
        'Make one in the Google Cloud console (Credentials, OAuth client ID, Desktop app), and enter it here with its secret.';
      throw new HostFault(fault('client_id', 'Adjutant has no client ID of its own at Google.', hint));
    }
    return { id: 'sign_1', address: 'https://accounts.google.com/o/oauth2/v2/auth' };
  }

  cancel(): void {
    const hint = 'Nothing was connected. Start again if you still want to connect it.';
    this.#giveUp?.(new HostFault(fault('sign_in', 'The sign-in was cancelled.', hint)));
  }

  /** Here the person never completes a sign-in in the browser. */
  untilSignedIn(): Promise<never> {
    return new Promise((_, refuse) => (this.#giveUp = refuse));
  }

  add({ kind, label, settings, secrets }: Args<'add_account'>): AccountRow[] {
    const address = settings.address ?? secrets.private_address ?? '';
    if (!/^(https?|webcal):\/\//.test(address)) {
      const hint = "Copy it from the calendar's settings; it looks like https://example.org/calendar.ics.";
      throw new HostFault(fault('address', 'This is not the address of a calendar.', hint));
    }
    const host = address.split('/')[2] ?? '';
    const same = this.rows.find((one) => one.kind === kind && one.settings.address === settings.address);
    if (same && settings.address) {
      const hint = `Sign in to it again in Settings, Accounts (\`adjutant accounts sign-in ${same.id}\`), or connect another one.`;
      throw new HostFault(fault('connected_already', `${same.label} is already connected.`, hint));
    }
    const row: AccountRow = {
      id: `acc_${this.rows.length}`,
      kind,
      label: label ?? host,
      addresses: [],
      state: 'ready',
      settings: { ...settings, host },
      read: null,
      problem: null,
      reading: false,
    };
    this.rows.push(row);
    return [row];
  }

  change({ id, label, on }: Args<'change_account'>): AccountRow[] {
    const row = this.#row(id);
    row.label = label ?? row.label;
    if (on !== undefined) row.state = on ? 'ready' : 'off';
    return [row];
  }

  read(id: Id | null): AccountRow[] {
    const wanted = this.rows.filter((row) => id === null || row.id === id);
    for (const row of wanted) if (row.id !== 'local' && row.state === 'ready') row.read = READ;
    return wanted;
  }

  remove(id: Id): void {
    this.#row(id);
    this.rows = this.rows.filter((row) => row.id !== id);
  }

  #row(id: Id): AccountRow {
    const row = this.rows.find((one) => one.id === id && id !== 'local');
    if (!row) throw new HostFault(fault('not_found', `“${id}” was not found.`, 'Look at the list.'));
    return row;
  }
}
