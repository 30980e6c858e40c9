import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { clock } from '../../kit/clock.svelte';
import { toasts } from '../../kit/toast.svelte';
import { eventually } from '../../kit/test/eventually';
import Grants from './Grants.svelte';

const state = (id: string) => fake.world.grants.find((one) => one.id === id)?.state;
const take = (target: string) => screen.findByRole('button', { name: `Take back the permission for ${target}` });

describe('standing permissions', () => {
  beforeEach(() => {
    fake.reset('populated', 0);
    clock.offset_ms = fake.world.now() - Date.now();
  });

  it('say what they cover, until when and how often they were used, and are taken back with a way back', async () => {
    render(Grants);
    await screen.findByText(/used 7 times/);
    expect(screen.getAllByText(/only until/)).toHaveLength(1);
    await userEvent.click(await take('Rowing practice'));
    await eventually(() => expect(state('grant-rowing')).toBe('revoked'));
    await eventually(() => expect(toasts.current?.text).toBe('Taken back: Rowing practice asks again.'));
    toasts.current?.action?.run();
    await eventually(() => expect(state('grant-rowing')).toBe('holds'));
  });

  it('are taken back by Delete as well', async () => {
    render(Grants);
    (await take('card NW-12, to “Done”')).focus();
    await userEvent.keyboard('{Delete}');
    await eventually(() => expect(state('grant-board')).toBe('revoked'));
  });

  it('teach what they are where there are none, and count the questions', async () => {
    render(Grants);
    await screen.findByText(/47 cards in the last 30 days. Approved at once: 9/);
    fake.reset('empty', 0);
    render(Grants);
    await screen.findByText('Nothing is allowed without a card');
  });
});
