import { render, screen, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { host, type Applied, type ContactRow } from '../../host';
import { fake } from '../../host/fake';
import { fault } from '../../host/fake/scenario';
import { toasts } from '../../kit/toast.svelte';
import { eventually } from '../../kit/test/eventually';
import Write from './Write.svelte';

const call = host.call.bind(host);
const sent: unknown[] = [];
let outcomes: Applied[] = [];

beforeEach(() => {
  sent.length = 0;
  outcomes = [];
  const known = fake.world.tables.contacts[0] as ContactRow;
  const person = (id: string, name: string, ...emails: string[]) => ({ ...known, id, name, emails });
  fake.world.tables.contacts = [
    person('c-1', 'Kim Abel', 'kim@abel.example', 'kim@home.example'),
    person('c-2', 'Kim Zoe', 'kim@zoe.example'),
    person('c-3', 'Kimberly Orr', 'orr@orr.example'),
  ];
  vi.spyOn(host, 'call').mockImplementation(((op: never, args: { tool?: string; args: unknown }) => {
    if (op !== 'apply' || (args.tool !== 'email.send' && outcomes.length === 0)) return call(op, args as never);
    sent.push(args.args);
    return Promise.resolve({ outcome: outcomes.shift() });
  }) as never);
});
afterEach(() => {
  vi.restoreAllMocks();
  toasts.forget();
});

async function written(to: string) {
  render(Write, { to, ondone: () => undefined });
  await userEvent.type(screen.getByLabelText('Text'), 'Hello');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  return screen.getByLabelText<HTMLInputElement>('To');
}

describe('a recipient that cannot be used', () => {
  it('is named at its field, which takes the focus, until it is changed', async () => {
    outcomes = [
      { state: 'failed', fault: fault('bad_arguments', '“kim@@abel” is not a mail address.', 'Say it again.') },
    ];
    const field = await written('Una, kim@@abel');
    await eventually(() => expect(document.activeElement).toBe(field));
    expect(screen.getByRole('alert').textContent).toBe('“kim@@abel” is not a mail address.');
    expect([field.getAttribute('aria-invalid'), toasts.current]).toEqual(['true', null]);
    await userEvent.type(field, '.example');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is chosen among the people of that name, and then sent to', async () => {
    outcomes = [
      { state: 'question', text: 'Which Kim?' },
      { state: 'approval_needed', id: 'a-1' },
    ];
    const field = await written('una@x.example, kim');
    const box = (await screen.findByText('Which Kim?')).parentElement as HTMLElement;
    const choices = within(box)
      .getAllByRole('button')
      .map((one) => one.textContent.replace(/\s+/g, ' ').trim());
    expect(choices).toEqual([
      '1 Kim Abel kim@abel.example',
      '2 Kim Abel kim@home.example',
      '3 Kim Zoe kim@zoe.example',
    ]);
    await userEvent.click(within(box).getByRole('button', { name: /home/ }));
    expect([field.value, document.activeElement]).toEqual(['una@x.example, Kim Abel <kim@home.example>', field]);
    expect(sent).toHaveLength(1);
    await userEvent.keyboard('{Enter}');
    await eventually(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ to: ['una@x.example', 'Kim Abel <kim@home.example>'] });
  });

  it('is not blamed for anything else', async () => {
    outcomes = [{ state: 'question', text: 'What should it say, skimming aside?' }];
    await written('kim');
    await eventually(() => expect(toasts.current?.text).toContain('What should it say'));
    expect(screen.getByLabelText('To').getAttribute('aria-invalid')).toBeNull();
  });
});

describe('a mail that is left', () => {
  it('is kept as a draft although its recipient cannot be used', async () => {
    const { unmount } = render(Write, { to: 'kim', ondone: () => undefined });
    await userEvent.type(screen.getByLabelText('Text'), 'Hello');
    outcomes = [{ state: 'question', text: 'Which Kim?' }];
    unmount();
    await eventually(() =>
      expect(fake.world.tables.outbox[0]).toMatchObject({ state: 'draft', to: [], body: 'Hello' }),
    );
    expect(sent).toMatchObject([{ to: ['kim'], body: 'Hello' }]);
  });
});

describe('a mail with a send time that cannot be read', () => {
  it('is not sent', async () => {
    render(Write, { to: 'una@x.example', ondone: () => undefined });
    await userEvent.type(screen.getByLabelText('Text'), 'Hello');
    await userEvent.click(screen.getByRole('button', { name: 'Choose a time' }));
    const field = screen.getByLabelText('When it leaves');
    await userEvent.type(field, 'some day');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await eventually(() => expect(document.activeElement).toBe(field));
    expect(sent).toEqual([]);
  });
});
