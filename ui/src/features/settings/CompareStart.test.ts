import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { host, HostFault, type Connection } from '../../host';
import { fake } from '../../host/fake';
import CompareStart from './CompareStart.svelte';

afterEach(() => vi.restoreAllMocks());

/** A remote connection that costs this many units per million tokens, in and out; null for an unknown price. */
function connected(units: number | null, free = false): Connection {
  const price = (units ?? 0) * 1_000_000;
  const standard = {
    ...fake.world.models.model('large'),
    free,
    input_micros_per_million: price,
    output_micros_per_million: price,
  };
  const draft = { name: 'Try', kind: 'compatible', base_url: 'https://lab.example/v1', embedding: null };
  fake.world.models.connect({ ...draft, headers: {}, proxy: '', models: { standard } }, null);
  return fake.world.models.connections[0] as Connection;
}

function open(one: Connection) {
  const onagree = vi.fn();
  render(CompareStart, { one, onagree, onclose: () => undefined });
  return onagree;
}

describe('before a connection is compared', () => {
  it('what the engine reckons is told: requests, days, amount and the limit of a day', async () => {
    open(connected(5));
    await screen.findByText('23 requests');
    screen.getByText('In the last 31 days');
    screen.getByText('About $0.28 at most');
    screen.getByText('$0.25 a day, the limit for all background work');
    expect(fake.calls.filter((one) => one.op === 'estimate_comparison').map((one) => one.args)).toEqual([
      { name: 'Try' },
    ]);
  });

  it('it is free where requests cost nothing, and only there', async () => {
    open(connected(null, true));
    await screen.findByText('23 requests');
    screen.getByText('Nothing');
  });

  it('a price that is not known is said, and what is counted instead', async () => {
    open(connected(null));
    await screen.findByText('The price of Try is not known, so a dear one is counted.');
    screen.getByText(/^About \$\d/);
    expect(screen.queryByText('Nothing')).toBeNull();
  });

  it('without a request there is nothing to go by, which is not free', async () => {
    const one = connected(null, true);
    fake.world.options.scenario = 'empty';
    open(one);
    await screen.findByText('No such request, so there is nothing to go by yet');
    expect(screen.queryByText('Nothing')).toBeNull();
  });

  it('what takes long is said, and comparing can be begun meanwhile', async () => {
    const one = connected(5);
    vi.spyOn(host, 'call').mockImplementation(() => new Promise(() => undefined));
    const onagree = open(one);
    await screen.findByText('Working out what it would cost');
    await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
    expect(onagree).toHaveBeenCalledOnce();
  });

  it('why it cannot be told is said, and comparing can be begun all the same', async () => {
    const one = connected(5);
    vi.spyOn(host, 'call').mockRejectedValue(
      new HostFault({ code: 'storage', message: 'What was used cannot be read.', hint: 'Free some space.' }),
    );
    const onagree = open(one);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('What was used cannot be read. Free some space. You can compare it');
    await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
    expect(onagree).toHaveBeenCalledOnce();
  });
});
