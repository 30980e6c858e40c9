import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fake } from '../host/fake';
import { live } from '../kit/live.svelte';
import { eventually } from '../kit/test/eventually';
import Rail from './Rail.svelte';

it('does not say that everything works while an account is signed out, and leads to it', async () => {
  fake.reset('populated', 0);
  live.start();
  await eventually(() => expect(live.status).not.toBeNull());
  live.outbox = [];
  render(Rail);
  screen.getByText('Everything working');
  const [row] = fake.world.accounts.add({
    kind: 'ics',
    label: 'dana@home.example',
    settings: { address: 'https://home.example/a.ics' },
    secrets: {},
  });
  Object.assign(row!, { state: 'signed_out' });
  fake.world.changed('accounts');
  const link = await screen.findByRole('link', { name: 'dana@home.example is signed out' });
  expect(link.getAttribute('href')).toBe('#/settings/accounts');
  flushSync();
  expect(screen.queryByText('Everything working')).toBeNull();
});
