import { render, screen, waitFor, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { host, HostFault, type AccountKind, type AccountRow, type CollectionRow } from '../../host';
import { fake } from '../../host/fake';
import { accountKinds } from '../../host/fake/accounts';
import { fault } from '../../host/fake/scenario';
import { asked, bringsText, sorted, stateText } from './accounts';
import Accounts from './Accounts.svelte';

const TOWN = { kind: 'ics', label: 'Town', settings: { address: 'https://town.example/a.ics' }, secrets: {} };
const sent = (op: string) => fake.calls.filter((call) => call.op === op).map((call) => call.args);
const connected = (change: Partial<AccountRow> = {}): AccountRow => {
  const row = fake.world.accounts.add(TOWN)[0] as AccountRow;
  return Object.assign(row, change);
};

const MAIL: AccountKind = {
  kind: 'imap',
  label: 'Mail',
  about: 'Mail.',
  signs_in: 'here',
  fields: [
    { name: 'address', label: 'Address', hint: '', form: 'text', choices: [], required: true },
    { name: 'password', label: 'Password', hint: '', form: 'password', choices: [], required: true },
    { name: 'token', label: 'Token', hint: '', form: 'private_text', choices: [], required: false },
  ],
};

describe('accounts', () => {
  it('are connected in one dialog, which says at the field what the server does not take', async () => {
    render(Accounts);
    await userEvent.click(await screen.findByRole('button', { name: 'Connect an account' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    // No provider is chosen for the person.
    for (const one of dialog.getAllByRole<HTMLInputElement>('radio', { hidden: true })) expect(one.checked).toBe(false);
    await userEvent.click(dialog.getByLabelText(/^Calendar by address/));
    const address = dialog.getByLabelText('Address of the calendar');
    await userEvent.type(address, 'nowhere');
    await userEvent.click(dialog.getByRole('button', { name: 'Connect', hidden: true }));
    await dialog.findByText('This is not the address of a calendar.');
    await waitFor(() => expect(document.activeElement).toBe(address));
    await userEvent.clear(address);
    await userEvent.type(address, 'https://town.example/a.ics');
    await userEvent.type(dialog.getByLabelText('Name (optional)'), ' Town ');
    await userEvent.click(dialog.getByRole('button', { name: 'Connect', hidden: true }));
    await screen.findByRole('button', { name: 'Update now: Town' });
    expect(sent('add_account').at(-1)).toEqual({
      kind: 'ics',
      settings: { address: 'https://town.example/a.ics' },
      secrets: {},
      label: 'Town',
    });
    // The new account syncs at once.
    await waitFor(() => expect(sent('sync_accounts').length).toBe(1));
    await screen.findByText(/^Updated /);
  });

  it('are not connected twice: the form leads to the one that is there', async () => {
    connected();
    render(Accounts);
    await userEvent.click(await screen.findByRole('button', { name: 'Connect an account' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    await userEvent.click(dialog.getByLabelText(/^Calendar by address/));
    await userEvent.type(dialog.getByLabelText('Address of the calendar'), TOWN.settings.address);
    await userEvent.click(dialog.getByRole('button', { name: 'Connect', hidden: true }));
    await dialog.findByText('Town is already connected.');
    await userEvent.click(dialog.getByRole('button', { name: 'Sign in again: Town', hidden: true }));
    await screen.findByRole('heading', { name: 'Sign in to Town', hidden: true });
  });

  it('that could not be read because of a certificate can trust it, without a new password', async () => {
    const fingerprint = Array(32).fill('AB').join(':');
    const problem = {
      what: 'nas.example could not prove its identity: it has signed its certificate itself.',
      next: `Trust exactly this one, ${fingerprint} (\`adjutant accounts sign-in acc_1 --trust ${fingerprint}\`).`,
      at: '2026-01-15T10:30:00+01:00',
    };
    const row = connected({ problem });
    render(Accounts);
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in again: Town' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    await userEvent.click(dialog.getByRole('button', { name: 'Trust this certificate', hidden: true }));
    await waitFor(() =>
      expect(sent('change_account')).toEqual([{ id: row.id, settings: { certificate: fingerprint }, secrets: {} }]),
    );
  });

  it('ask the server again by themselves once its certificate is trusted, and no longer say that it is not', async () => {
    const fingerprint = Array.from({ length: 32 }, (_, at) => (at + 16).toString(16).toUpperCase()).join(':');
    const refused = new HostFault({
      ...fault('certificate', 'nas.example could not prove its identity.', `Its fingerprint is ${fingerprint}.`),
    });
    const call = vi.spyOn(host, 'call');
    const before = sent('add_account').length;
    render(Accounts);
    await userEvent.click(await screen.findByRole('button', { name: 'Connect an account' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    await userEvent.click(dialog.getByLabelText(/^Calendar by address/));
    await userEvent.type(dialog.getByLabelText('Address of the calendar'), 'https://nas.example/a.ics');
    call.mockRejectedValueOnce(refused);
    await userEvent.click(dialog.getByRole('button', { name: 'Connect', hidden: true }));
    await dialog.findByText('nas.example could not prove its identity.');
    const groups = [...document.querySelectorAll('dialog code span')].map((one) => one.textContent);
    expect([groups.length, groups.join('')]).toEqual([8, fingerprint]);
    let answer: (value: never) => void = () => undefined;
    call.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    await userEvent.click(dialog.getByRole('button', { name: 'Trust this certificate', hidden: true }));
    expect(dialog.queryByText('nas.example could not prove its identity.')).toBeNull();
    expect(call.mock.lastCall?.[1]).toMatchObject({ settings: { certificate: fingerprint } });
    answer({ rows: { topic: 'accounts', list: [] } } as never);
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
    expect(sent('add_account').length).toBe(before);
    call.mockRestore();
  });

  it('take new tasks where the person wants them', async () => {
    const row = connected();
    const list: CollectionRow = {
      ...{ id: 'col_t', account: row.id, kind: 'task_list', name: 'Errands', colour: null },
      ...{ writable: true, preferred: false },
    };
    fake.world.collections = [...fake.world.collections, list, { ...list, id: 'col_r', name: 'Old', writable: false }];
    render(Accounts);
    const field = await screen.findByLabelText('Tasks');
    expect(within(field).queryByText(/Old/)).toBeNull();
    await userEvent.selectOptions(field, 'Errands (Town)');
    expect(sent('prefer_collection').at(-1)).toEqual({ kind: 'task_list', id: 'col_t' });
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Tasks').value).toBe('col_t'));
    await userEvent.selectOptions(screen.getByLabelText('Tasks'), 'This computer');
    expect(sent('prefer_collection').at(-1)).toEqual({ kind: 'task_list' });
    fake.world.collections = fake.world.collections.filter((one) => one.account === 'local');
  });

  it('have a signature for the addresses they send from, which can be taken away again', async () => {
    const row = connected({ addresses: ['Me@town.example'] });
    const box: CollectionRow = {
      ...{ id: 'col_m', account: row.id, kind: 'mailbox', name: 'All', colour: null },
      ...{ writable: true, preferred: false },
    };
    fake.world.collections = [...fake.world.collections, box];
    const kept = () => fake.world.settings.find((one) => one.key === 'signatures')?.value;
    render(Accounts);
    await userEvent.click(await screen.findByRole('button', { name: 'Signature: Town' }));
    const field = await screen.findByLabelText<HTMLTextAreaElement>(/^Below every mail/);
    await waitFor(() => expect(field.disabled).toBe(false));
    await userEvent.type(field, 'Me{Enter}Home Ltd ');
    await userEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    await waitFor(() => expect(kept()).toBe('{"me@town.example":"Me\\nHome Ltd"}'));
    await userEvent.click(await screen.findByRole('button', { name: 'Signature: Town' }));
    const again = await screen.findByLabelText<HTMLTextAreaElement>(/^Below every mail/);
    await waitFor(() => expect(again.value).toBe('Me\nHome Ltd'));
    await userEvent.clear(again);
    await userEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }));
    await waitFor(() => expect(kept()).toBe(''));
    fake.world.collections = fake.world.collections.filter((one) => one.account === 'local');
  });

  it('are signed in to in the browser, which can be given up', async () => {
    render(Accounts);
    await userEvent.click(await screen.findByRole('button', { name: 'Connect an account' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    await userEvent.click(dialog.getByLabelText(/^Google/));
    await userEvent.selectOptions(dialog.getByLabelText('Calendar'), 'Read and change');
    await userEvent.click(dialog.getByRole('button', { name: 'Continue in the browser', hidden: true }));
    await dialog.findByText('Adjutant has no client ID of its own at Google.');
    // What one provider said is not said of another.
    const [other] = dialog.getAllByRole<HTMLInputElement>('radio', { hidden: true });
    await userEvent.click(other as HTMLInputElement);
    expect(dialog.queryByText('Adjutant has no client ID of its own at Google.')).toBeNull();
    await userEvent.click(dialog.getByLabelText(/^Google/));
    await userEvent.type(dialog.getByLabelText('Your own client ID'), 'mine');
    await userEvent.click(dialog.getByRole('button', { name: 'Continue in the browser', hidden: true }));
    await dialog.findByText('Sign in to Google in the browser');
    const settings = { calendar: 'change', client_id: 'mine' };
    expect(sent('begin_sign_in').at(-1)).toEqual({ kind: 'google', settings, secrets: {} });
    await waitFor(() =>
      expect(sent('add_account')).toEqual([{ kind: 'google', settings, secrets: {}, sign_in: 'sign_1' }]),
    );
    // No browser opens: the form says why, and the person can copy the address.
    const refuse = vi
      .spyOn(host, 'openLink')
      .mockRejectedValueOnce(new HostFault(fault('link', 'No browser.', 'Copy it.')));
    await userEvent.click(dialog.getByRole('button', { name: 'Open the page again', hidden: true }));
    await dialog.findByText('No browser.');
    refuse.mockRestore();
    await userEvent.click(dialog.getByRole('button', { name: 'Copy its address', hidden: true }));
    await waitFor(() => expect(dialog.queryByText('No browser.')).toBeNull());
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel', hidden: true }));
    await dialog.findByText('The sign-in was cancelled.');
    expect(sent('cancel_sign_in')).toEqual([{ id: 'sign_1' }]);
    expect(dialog.queryByText('Sign in to Google in the browser')).toBeNull();
  });

  it('say what failed and what to do next, and can be signed in to again', async () => {
    const problem = { what: 'The password is wrong.', next: 'Enter it again.', at: '2026-01-15T10:30:00+01:00' };
    const row = connected({ state: 'signed_out', problem });
    render(Accounts);
    await screen.findByText('The password is wrong.');
    screen.getByText('Enter it again.');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in again: Town' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    await userEvent.type(dialog.getByLabelText('Or its private address'), 'https://town.example/b.ics');
    await userEvent.click(dialog.getByRole('button', { name: 'Sign in again', hidden: true }));
    await waitFor(() =>
      expect(sent('change_account')).toEqual([
        { id: row.id, settings: {}, secrets: { private_address: 'https://town.example/b.ics' } },
      ]),
    );
  });

  it('are paused, resumed, and removed with or without what was read', async () => {
    const row = connected();
    render(Accounts);
    await userEvent.click(await screen.findByRole('button', { name: 'Pause: Town' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Resume: Town' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Remove: Town' }));
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    expect((dialog.getByLabelText(/Keep the copy/) as HTMLInputElement).checked).toBe(true);
    await userEvent.click(dialog.getByLabelText(/Delete the copy/));
    await userEvent.click(dialog.getByRole('button', { name: 'Remove', hidden: true }));
    await screen.findByText('No account is connected');
    expect(sent('remove_account')).toEqual([{ id: row.id, keep: false }]);
    expect(sent('change_account')).toEqual([
      { id: row.id, secrets: {}, on: false },
      { id: row.id, secrets: {}, on: true },
    ]);
  });
});

describe('fields of an account', () => {
  it('go where they belong: secrets apart from the rest, a password as it was typed', () => {
    const filled = { address: ' me@home.example ', password: ' s3cret ', token: '', other: 'x' };
    expect(sorted(MAIL, filled)).toEqual({
      settings: { address: 'me@home.example' },
      secrets: { password: ' s3cret ' },
    });
  });

  it('that are secret and needed are asked for again, else all that are secret', () => {
    expect(asked(MAIL).map((field) => field.name)).toEqual(['password']);
    expect(asked(accountKinds[0] as AccountKind).map((field) => field.name)).toEqual(['private_address']);
  });

  it('are told in words: how it stands, and what it brings', () => {
    const row = { ...connected(), read: null };
    const states = [
      row,
      { ...row, reading: true },
      { ...row, state: 'off' as const },
      { ...row, state: 'signed_out' as const },
    ];
    expect(states.map(stateText)).toEqual([
      'Not updated yet',
      'Updating',
      'Switched off: not updated and not changed',
      'Signed out',
    ]);
    const of = (kind: CollectionRow['kind'], writable: boolean): CollectionRow => ({
      id: kind,
      account: row.id,
      kind,
      name: kind,
      colour: null,
      writable,
      preferred: false,
    });
    expect(bringsText(row, [of('calendar', false)])).toBe('1 calendar, read only');
    expect(bringsText(row, [of('calendar', true), of('calendar', true), of('mailbox', false)])).toBe(
      '2 calendars, 1 mailbox',
    );
    expect(bringsText(row, [])).toBe('');
  });
});
