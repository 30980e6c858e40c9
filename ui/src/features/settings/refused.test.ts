import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { host, HostFault, type ConnectionDraft, type Fault } from '../../host';
import { fake } from '../../host/fake';
import { eventually } from '../../kit/test/eventually';
import { fieldOf } from './connection';
import ModelForm from './ModelForm.svelte';

afterEach(() => vi.restoreAllMocks());

const kinds = [
  { kind: 'compatible', label: 'OpenAI-compatible', base_url: '' },
  { kind: 'ollama', label: 'Ollama', base_url: 'http://127.0.0.1:11434/v1' },
];
const fault = (code: string): Fault => ({ code, message: `Wrong: ${code}.`, hint: 'Look there.' });

function refuse(op: 'connect_model' | 'list_models', code: string) {
  const real = host.call.bind(host);
  vi.spyOn(host, 'call').mockImplementation(((asked: string, args: never) =>
    asked === op ? Promise.reject(new HostFault(fault(code))) : real(asked as never, args)) as never);
}

function open(more: Partial<ConnectionDraft> = {}) {
  const draft = { name: 'Lab', kind: 'compatible', base_url: 'https://lab.example/v1', headers: { 'X-Org': 'a' } };
  const models = { standard: fake.world.models.model('large') };
  render(ModelForm, { kinds, taken: [], ondone: () => undefined, draft: { ...draft, models, ...more } });
}

const connect = () => userEvent.click(screen.getByRole('button', { name: 'Connect' }));
const FIELDS: [string, () => HTMLElement][] = [
  ['name', () => screen.getByLabelText('Name')],
  ['kind', () => screen.getByLabelText('Provider')],
  ['address', () => screen.getByLabelText('Address')],
  ['key', () => screen.getByLabelText('Key')],
  ['model', () => screen.getByRole('combobox', { name: 'Model' })],
  ['headers', () => screen.getByRole('group', { name: /^Headers/ })],
  ['proxy', () => screen.getByLabelText('Its own proxy')],
];

describe('what the engine refuses of a connection', () => {
  it.each(FIELDS)('stands at its field and leads there: %s', async (code, field) => {
    refuse('connect_model', code);
    open();
    await connect();
    await eventually(() => expect(document.activeElement).toBe(field()));
    const described = (field().getAttribute('aria-describedby') ?? '').split(' ');
    const told = described.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    expect(told).toContain(`Wrong: ${code}. Look there.`);
    // The message appears once, with no alert on top of it.
    expect(screen.getAllByText(`Wrong: ${code}.`)).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is gone once something else stands there', async () => {
    refuse('connect_model', 'proxy');
    open();
    await connect();
    const proxy = screen.getByLabelText('Its own proxy');
    await eventually(() => expect(document.activeElement).toBe(proxy));
    expect(proxy.getAttribute('aria-invalid')).toBe('true');
    await userEvent.type(proxy, 'none');
    expect(screen.queryByText('Wrong: proxy.')).toBeNull();
    expect(proxy.getAttribute('aria-invalid')).toBeNull();
  });

  it('on the way to a list stands at its field without taking the focus; asked for, it leads there', async () => {
    refuse('list_models', 'address');
    open({ kind: 'ollama', base_url: 'http://127.0.0.1:9/v1' });
    const address = screen.getByLabelText('Address');
    await userEvent.type(address, '/x');
    await userEvent.tab();
    await screen.findByText('Wrong: address.');
    expect(document.activeElement).not.toBe(address);
    expect(address.getAttribute('aria-invalid')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'What models are there?' }));
    await eventually(() => expect(document.activeElement).toBe(address));
    expect(address.getAttribute('aria-invalid')).toBe('true');
  });

  it('about no field of the form stands above it', async () => {
    refuse('connect_model', 'keyring');
    open();
    await connect();
    expect((await screen.findByRole('alert')).textContent).toContain('Wrong: keyring.');
  });

  it('of a field that is not there has no field', () => {
    expect(fieldOf(fault('name'), { kind: 'ollama', fixed: true })).toBeNull();
    expect(fieldOf(fault('key'), { kind: 'file', fixed: false })).toBeNull();
    expect(fieldOf(fault('address'), { kind: 'file', fixed: false })).toBe('base_url');
    expect(fieldOf(fault('toString'), { kind: 'ollama', fixed: false })).toBeNull();
  });
});
