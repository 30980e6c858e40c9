import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import type { ConnectionDraft } from '../../host';
import Models from './Models.svelte';

const draft = (name: string, id: string): ConnectionDraft => ({
  name,
  kind: 'ollama',
  base_url: '',
  embedding: null,
  headers: {},
  proxy: '',
  models: { standard: fake.world.models.model(id) },
});
const connect = (name: string, id: string) => fake.world.models.connect(draft(name, id), null);
const asked = (op: string) => fake.calls.filter((call) => call.op === op).length;

describe('models', () => {
  it('on this computer are looked for without being asked while none is connected, and once', async () => {
    render(Models);
    await screen.findByRole('button', { name: 'Connect: Ollama' });
    fake.world.changed('settings');
    await waitFor(() => expect(asked('models')).toBe(2));
    expect(asked('find_models')).toBe(1);
  });

  it('are not looked for where one is connected', async () => {
    connect('Home', 'llama3.2:3b');
    render(Models);
    await screen.findByRole('button', { name: 'Test: Home' });
    expect(asked('find_models')).toBe(0);
  });

  it('that were connected elsewhere are shown, also after a change made here', async () => {
    connect('Home', 'llama3.2:3b');
    connect('Lab', 'qwen2.5:7b');
    render(Models);
    await userEvent.click(await screen.findByRole('button', { name: 'Ask first: Lab' }));
    await screen.findByText('Asked first: Lab/qwen2.5:7b.');
    connect('Cellar', 'qwen3:8b');
    fake.world.changed('settings');
    await screen.findByRole('button', { name: 'Test: Cellar' });
  });

  it('keep what their test showed when the person comes back', async () => {
    connect('Attic', 'llama3.2:3b');
    const { unmount } = render(Models);
    await userEvent.click(await screen.findByRole('button', { name: 'Test: Attic' }));
    await screen.findAllByText('Calls tools');
    unmount();
    render(Models);
    await screen.findByText('Calls tools');
    expect(document.querySelector('.tiers')?.textContent).not.toContain('not tried');
  });

  it('that were asked in vain say so, with the reason', async () => {
    connect('Cellar', 'llama3.2:3b');
    fake.world.models.last = [
      { model: 'Cellar/llama3.2:3b', at: '2026-01-13T09:12:00-05:00', fault: 'Cellar could not be reached.' },
    ];
    render(Models);
    expect((await screen.findAllByText(/^failed: /)).length).toBe(3);
    expect(screen.getAllByText('Cellar could not be reached.').length).toBe(3);
    expect(screen.queryByText('not tried')).toBeNull();
  });

  it('of the same name as their kind are named once', async () => {
    connect('Ollama', 'llama3.2:3b');
    connect('Lab', 'qwen2.5:7b');
    render(Models);
    const row = (await screen.findByRole('button', { name: 'Test: Ollama' })).closest('li');
    expect(row?.querySelector('p')?.textContent?.trim()).toBe('Ollama');
    const lab = screen.getByRole('button', { name: 'Test: Lab' }).closest('li');
    expect(lab?.querySelector('p')?.textContent).toContain('Ollama');
  });

  it('chosen for comparison come back as stored when that is refused, and as changed elsewhere', async () => {
    connect('Home', 'llama3.2:3b');
    connect('Lab', 'qwen2.5:7b');
    render(Models);
    const choose = await screen.findByLabelText<HTMLSelectElement>('Only compare');
    fake.world.options.scenario = 'read-only';
    const agree = async () => userEvent.click(await screen.findByRole('button', { name: 'Compare' }));
    await userEvent.selectOptions(choose, 'Lab');
    await agree();
    await screen.findByRole('alert');
    expect(choose.value).toBe('');
    fake.world.options.scenario = 'populated';
    await userEvent.selectOptions(choose, 'Lab');
    await agree();
    await waitFor(() => expect(choose.value).toBe('Lab'));
  });
});
