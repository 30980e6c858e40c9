import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../host';
import { fake } from '../../host/fake';
import { eventually } from '../../kit/test/eventually';
import Compare from './Compare.svelte';

function connected(...names: string[]): Connection[] {
  const rest = { kind: 'ollama', base_url: '', embedding: null, headers: {}, proxy: '' };
  const models = { standard: fake.world.models.model('small') };
  for (const name of names) fake.world.models.connect({ ...rest, name, models }, null);
  return fake.world.models.connections;
}

const set = (key: string, value: string) =>
  (fake.world.settings = fake.world.settings.map((one) => (one.key === key ? { ...one, value } : one)));

describe('what was compared', () => {
  it('is shown with one connection as well, where another wording or router was tried', async () => {
    const candidate = 'Lab/small, route@1a2b3c4d';
    fake.world.models.comparisons = {
      agreement: [{ candidate, stage: 'route', of: 12, same: 11 }],
      differences: [
        {
          turn: 't1',
          stage: 'route',
          live: { model: 'embedded engine', gist: { kind: 'chat', domains: [] } },
          candidate: { model: 'the wording that is tried', gist: 'not rendered' },
        },
      ],
    };
    render(Compare, { connections: connected('Lab') });
    await screen.findByRole('table', { name: 'Compared' });
    screen.getByRole('rowheader', { name: candidate });
    screen.getByText('11 of 12');
    screen.getByText('1 difference');
    screen.getByText('a wording that cannot be filled in');
    // With one connection there is nothing to choose.
    expect(screen.queryByLabelText('Only compare')).toBeNull();
  });

  it('is said to be nothing yet where another router is tried, and comes with the first comparison', async () => {
    set('models.shadow_router', 'model');
    render(Compare, { connections: connected('Lab') });
    await screen.findByText(/^Nothing was compared yet/);
    fake.world.models.comparisons.differences = [
      { turn: null, stage: 'route', live: { model: 'a', gist: 'x' }, candidate: { model: 'b', gist: 'y' } },
    ];
    fake.world.changed('usage');
    await screen.findByText('1 difference');
    expect(screen.queryByText(/^Nothing was compared yet/)).toBeNull();
  });

  it('is not spoken of where nothing is tried any more and there is nothing to choose from', async () => {
    set('models.shadow_router', 'model');
    const { container } = render(Compare, { connections: connected('Lab') });
    await screen.findByRole('heading', { name: 'Compared' });
    set('models.shadow_router', 'none');
    fake.world.changed('settings');
    await eventually(() => expect(container.querySelector('.compare')).toBeNull());
  });
});
