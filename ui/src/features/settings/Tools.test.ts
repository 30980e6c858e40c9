import { render, screen, waitFor, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ServerAct } from '../../host';
import { fake } from '../../host/fake';
import { SHARE, withKind } from './sharing';
import { pinsOf, valuesOf, wordsOf } from './servers';
import Tools from './Tools.svelte';

const acts = (act: ServerAct['act']) =>
  fake.calls
    .filter((call) => call.op === 'servers')
    .map((call) => (call.args as { request: ServerAct }).request)
    .filter((request) => request.act === act);
const dialog = async () => within(await screen.findByRole('dialog', { hidden: true }));

beforeEach(() => fake.reset('populated', 0));

describe('servers', () => {
  it('are added by command, tried, and count once their tools are accepted as they were shown', async () => {
    render(Tools);
    await screen.findByText('No server adds tools yet');
    await userEvent.click(screen.getByRole('button', { name: 'Add a server' }));
    const form = await dialog();
    await userEvent.type(form.getByLabelText('Name'), 'No Name');
    await userEvent.type(form.getByLabelText('Command'), 'npx -y "my trains"');
    await userEvent.click(form.getByRole('button', { name: 'Try it', hidden: true }));
    await form.findByText('This cannot name a server.');
    await userEvent.clear(form.getByLabelText('Name'));
    await userEvent.type(form.getByLabelText('Name'), 'trains');
    await userEvent.type(form.getByLabelText(/^Environment/), 'KEY=a=b');
    await userEvent.click(form.getByRole('button', { name: 'Try it', hidden: true }));
    expect(acts('add').at(-1)).toEqual({
      act: 'add',
      name: 'trains',
      reach: { by: 'command', command: 'npx', args: ['-y', 'my trains'], env: {} },
      secrets: { KEY: 'a=b' },
    });
    const trial = await dialog();
    await trial.findByText('Listed 2 tools');
    expect(acts('accept')).toEqual([]);
    await userEvent.click(trial.getByRole('button', { name: 'Use these tools', hidden: true }));
    await screen.findByText('In use, 2 tools');
    expect(acts('accept')).toEqual([
      { act: 'accept', name: 'trains', pins: { next_train: 'pin-next_train', book_seat: 'pin-book_seat' } },
    ]);
  });

  it('say what they changed, free a tool of asking only where that may be, and go when they are removed', async () => {
    fake.world.servers.fill();
    render(Tools);
    await screen.findByText('1 tool to look at');
    screen.getByText('Before: Makes a new issue in a team.');
    screen.getByText('The command was not found on this computer.');
    expect(screen.queryByRole('checkbox', { name: 'It only reads: run it without asking (book_seat)' })).toBeNull();
    await userEvent.click(
      screen.getByRole('checkbox', { name: 'It only reads: run it without asking (next_train)', hidden: true }),
    );
    expect(acts('lower')).toEqual([{ act: 'lower', name: 'trains', tool: 'next_train', reads: false }]);
    await userEvent.click(screen.getByRole('button', { name: 'Remove: notes' }));
    const asked = await dialog();
    await userEvent.click(asked.getByRole('button', { name: 'Remove', hidden: true }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove: notes' })).toBeNull());
  });

  it('that do not start say why, and nothing of them can be accepted', async () => {
    render(Tools);
    await userEvent.click(await screen.findByRole('button', { name: 'Add a server' }));
    const form = await dialog();
    await userEvent.click(form.getByRole('radio', { name: /^Pasted JSON/ }));
    await userEvent.click(form.getByLabelText('mcpServers'));
    await userEvent.paste('{"mcpServers": {"missing": {}}}');
    await userEvent.click(form.getByRole('button', { name: 'Try it', hidden: true }));
    const trial = await dialog();
    await trial.findByText('The command was not found on this computer.');
    expect(trial.queryByRole('button', { name: 'Use these tools', hidden: true })).toBeNull();
  });
});

describe('what a server wants or has', () => {
  it('is a sign-in in the browser, after which it is tried again', async () => {
    render(Tools);
    await userEvent.click(await screen.findByRole('button', { name: 'Add a server' }));
    const form = await dialog();
    await userEvent.click(form.getByRole('radio', { name: /^An address/ }));
    await userEvent.type(form.getByLabelText('Name'), 'issues');
    await userEvent.type(form.getByLabelText('Address'), 'https://private.example/mcp');
    await userEvent.click(form.getByRole('button', { name: 'Try it', hidden: true }));
    const trial = await dialog();
    await trial.findByText('It wants you to sign in.');
    await userEvent.click(trial.getByRole('button', { name: 'Sign in', hidden: true }));
    await trial.findByText('Listed 2 tools');
    expect(acts('signed_in')).toEqual([{ act: 'signed_in', name: 'issues', sign_in: 'sign_1' }]);
    expect(fake.opened.at(-1)).toContain('https://issues.example/sign-in');
  });

  it('is kept as a note, a prompt only with what it needs', async () => {
    fake.world.servers.fill();
    render(Tools);
    await userEvent.click(await screen.findByRole('button', { name: 'Attach something of trains' }));
    const offers = await dialog();
    await userEvent.click(await offers.findByRole('button', { name: 'Keep as a note: Line U2', hidden: true }));
    await offers.findByText('Kept as the note “trains://lines/u2 (trains)”.');
    const plan = offers.getByRole<HTMLButtonElement>('button', { name: 'Keep as a note: plan_trip', hidden: true });
    expect(plan.disabled).toBe(true);
    await userEvent.type(offers.getByLabelText('from'), 'Zoo');
    await userEvent.click(plan);
    await offers.findByText('Kept as the note “plan_trip (trains)”.');
    expect(acts('attach').at(-1)).toEqual({
      act: 'attach',
      name: 'trains',
      what: { kind: 'prompt', prompt: 'plan_trip', args: { from: 'Zoo' } },
    });
  });
});

describe('other programs', () => {
  it('get what is ticked, and no more once it is not', async () => {
    render(Tools);
    const mail = await screen.findByRole<HTMLInputElement>('checkbox', { name: /^Mail/ });
    const calendar = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Calendar/ });
    expect([calendar.checked, mail.checked]).toEqual([true, false]);
    await userEvent.click(mail);
    await waitFor(() =>
      expect(fake.world.settings.find((one) => one.key === SHARE)?.value).toBe('calendar, tasks, mail'),
    );
    await userEvent.click(calendar);
    await waitFor(() => expect(fake.world.settings.find((one) => one.key === SHARE)?.value).toBe('tasks, mail'));
  });
});

it('reads what was typed', () => {
  expect(wordsOf(`npx -y "a b" 'c d' e`)).toEqual(['npx', '-y', 'a b', 'c d', 'e']);
  expect(valuesOf('A=1\n\nnothing\n B = x=y ')).toEqual({ A: '1', B: 'x=y' });
  expect(withKind(['calendar'], 'calendar', false)).toBe('');
  expect(withKind(['mail'], 'calendar', true)).toBe('calendar, mail');
  expect(pinsOf([])).toEqual({});
});
