import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { host, HostFault, type ConnectionDraft } from '../../host';
import { fake } from '../../host/fake';
import { eventually } from '../../kit/test/eventually';
import ModelForm from './ModelForm.svelte';

afterEach(() => vi.restoreAllMocks());

const kinds = [{ kind: 'compatible', label: 'OpenAI-compatible', base_url: '' }];
const calls = (op: string) => fake.calls.filter((one) => one.op === op);

/** A remote connection with a model for vectors, at this many units per million tokens. */
function open(units: number | null, more: Partial<ConnectionDraft> = {}) {
  const price = (units ?? 0) * 1_000_000;
  const model = { ...fake.world.models.model('large'), free: units === 0 };
  const standard = { ...model, input_micros_per_million: price, output_micros_per_million: price };
  const draft = { name: 'Lab', kind: 'compatible', base_url: 'https://lab.example/v1', embedding: 'tiny' };
  const ondone = vi.fn();
  render(ModelForm, { kinds, taken: [], ondone, draft: { ...draft, models: { standard }, ...more } });
  return ondone;
}
const connect = () => userEvent.click(screen.getByRole('button', { name: 'Connect' }));

describe('vectors of a connection', () => {
  it('are told with what they cost before it is connected', async () => {
    const ondone = open(5, { headers: { 'X-Org': 'secret' } });
    // 4 requests of 5,000 tokens each.
    const said = 'Lab/tiny makes vectors of all tools once, in the background: about $0.10 at most.';
    await screen.findByText(`${said} All background work may cost $0.25 a day.`);
    expect(JSON.stringify(calls('estimate_vectors'))).not.toContain('secret');
    await connect();
    await eventually(() => expect(ondone).toHaveBeenCalledOnce());
    expect(calls('estimate_vectors')).toHaveLength(1);
  });

  it('are told first where it is connected at once, and the next press connects', async () => {
    const ondone = open(5);
    // In the same tick, before the estimate can arrive.
    screen.getByRole('button', { name: 'Connect' }).click();
    await screen.findByText(/^Lab\/tiny makes vectors/);
    expect(calls('connect_model')).toHaveLength(0);
    await connect();
    await eventually(() => expect(ondone).toHaveBeenCalledOnce());
  });

  it('of a price nobody knows are told with what is counted instead', async () => {
    open(null);
    await screen.findByText('The price of Lab is not known, so a dear one is counted.');
  });

  it('are told again when the model or a price is another one', async () => {
    open(5);
    await screen.findByText(/about \$0\.10 at most/);
    await userEvent.click(screen.getByText(/^More: other tiers/));
    const field = screen.getByRole('combobox', { name: 'Model for vectors' });
    await userEvent.clear(field);
    await eventually(() => expect(screen.queryByText(/makes vectors of all tools/)).toBeNull());
    await userEvent.type(field, 'other');
    await screen.findByText(/^Lab\/other makes vectors/);
  });

  it.each([
    ['that are free', 0, {}],
    ['of no model', 5, { embedding: null }],
  ])('%s are not spoken of, and hold nobody up', async (_, units, more) => {
    const ondone = open(units, more);
    await connect();
    await eventually(() => expect(ondone).toHaveBeenCalledOnce());
    expect(screen.queryByText(/makes vectors of all tools/)).toBeNull();
  });

  it('that cannot be reckoned hold nobody up', async () => {
    const real = host.call.bind(host);
    const wrong = new HostFault({ code: 'x', message: 'Not now.', hint: '' });
    vi.spyOn(host, 'call').mockImplementation(((op: string, args: never) =>
      op === 'estimate_vectors' ? Promise.reject(wrong) : real(op as never, args)) as never);
    const ondone = open(5);
    await connect();
    await eventually(() => expect(ondone).toHaveBeenCalledOnce());
    expect(screen.queryByText('Not now.')).toBeNull();
  });
});
