import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { host } from '../../host';
import { fake } from '../../host/fake';
import { drafts } from '../../kit/talk/drafts.svelte';
import { Sending } from './sending.svelte';
import TierMenu from './TierMenu.svelte';

const button = (name: string) => screen.findByRole('button', { name: `Model for this message: ${name}` });

it('is not there where no model is connected', async () => {
  fake.reset('empty', 0);
  const asked = vi.spyOn(host, 'call');
  render(TierMenu, { tier: null, onchoose: vi.fn() });
  await vi.waitFor(() => expect(asked).toHaveBeenCalledWith('models', {}));
  await asked.mock.results.at(-1)?.value;
  expect(screen.queryByRole('button')).toBeNull();
});

it('offers what a message may be answered with, and says who that is', async () => {
  fake.reset('empty', 0);
  const { models } = fake.world;
  const rest = { kind: 'compatible', base_url: 'https://lab.example/v1', embedding: null, headers: {}, proxy: '' };
  models.connect({ ...rest, name: 'Lab', models: { standard: models.model('large') } }, null);
  const onchoose = vi.fn();
  render(TierMenu, { tier: null, onchoose });
  await fireEvent.click(await button('Automatic'));
  const items = within(screen.getByRole('menu')).getAllByRole('menuitemradio');
  expect(items.map((one) => one.getAttribute('aria-checked'))).toEqual(['true', 'false', 'false', 'false']);
  await fireEvent.click(screen.getByRole('menuitemradio', { name: /^Deep/ }));
  expect(onchoose).toHaveBeenCalledWith('deep');
});

it('holds for one message', async () => {
  fake.reset('empty', 0);
  drafts.forget();
  const asked = vi.spyOn(host, 'call');
  const sending = new Sending();
  sending.tier = 'deep';
  await sending.send('Explain the lease');
  expect(asked).toHaveBeenCalledWith('ask', expect.objectContaining({ text: 'Explain the lease', tier: 'deep' }));
  expect(sending.tier).toBeNull();
});
