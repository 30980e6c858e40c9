import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { JobRow } from '../../host';
import { fake } from '../../host/fake';
import Background from './Background.svelte';
import { groupJobs, repeatsText, shareOf, stateText } from './jobs';

const job = (made: Partial<JobRow>): JobRow => ({
  id: 'reminder:t-1',
  kind: 'reminder',
  subject: 't-1',
  title: 'Call the landlord about the radiator in the small room before the weekend, and ask for the second key',
  at: '2026-01-13T14:00:00-05:00',
  next: '2026-01-13T14:00:00-05:00',
  state: 'waiting',
  attempts: 0,
  late: false,
  why: null,
  done: null,
  budget: null,
  repeats: null,
  catch_up: 'each',
  stoppable: true,
  ...made,
});
const fetching = job({
  id: 'fetch_model:a.gguf',
  kind: 'fetch_model',
  title: 'qwen3-4b-q4_k_m.gguf',
  state: 'running',
  attempts: 1,
  done: 600_000_000,
  budget: 2_400_000_000,
  catch_up: 'once',
});
const tidy = job({
  id: 'tidy:storage',
  kind: 'tidy',
  title: 'Tidy storage',
  stoppable: false,
  repeats: { every: 'hours', hours: 6 },
  catch_up: 'once',
  why: 'Its time passed while Adjutant was not running. It was done afterwards.',
});

describe('background work', () => {
  it('says what runs, what comes and what came of it, each in its group', () => {
    const all = [fetching, tidy, job({}), job({ id: 'x', state: 'failed', next: null, why: 'The disk is full.' })];
    const { now, coming, over } = groupJobs(all);
    expect([now, coming, over].map((list) => list.map((one) => one.id))).toEqual([
      ['fetch_model:a.gguf'],
      ['tidy:storage', 'reminder:t-1'],
      ['x'],
    ]);
    expect(stateText(fetching)).toBe('Running, 600 MB of 2.4 GB');
    expect(shareOf(fetching)).toEqual({ done: 600_000_000, of: 2_400_000_000 });
    expect(stateText(tidy)).toContain('It was done afterwards.');
    expect(repeatsText(tidy)).toBe('Every 6 hours. If it is missed, it is done once afterwards.');
    expect(repeatsText(job({}))).toBeNull();
    expect(repeatsText(job({ repeats: { every: 'day', at: '12:30' }, catch_up: 'skip' }))).toBe(
      'Every day at 12:30. If it is missed, it is left out.',
    );
    expect(stateText(all[3] as JobRow)).toBe('Given up. The disk is full.');
  });

  it('is stopped with one press, and what cannot be stopped has no button', async () => {
    fake.world.jobs = [fetching, tidy, job({})];
    render(Background);
    const stop = await screen.findByRole('button', { name: 'Stop: qwen3-4b-q4_k_m.gguf' });
    expect(screen.getByRole('progressbar').getAttribute('value')).toBe('600000000');
    expect(screen.queryByRole('button', { name: 'Stop: Tidy storage' })).toBeNull();
    await userEvent.click(stop);
    await waitFor(() => expect(fake.calls.filter((call) => call.op === 'stop_job').length).toBe(1));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop: qwen3-4b-q4_k_m.gguf' })).toBeNull());
    await screen.findByText(/^Stopped/);
    expect(document.activeElement).not.toBe(document.body);
  });

  it('says what will stand here while there is none', async () => {
    fake.world.jobs = [];
    render(Background);
    await screen.findByText('Nothing to do');
  });

  it('keeps out the actions that wait for the person, which nothing will do by itself', async () => {
    const waiting = job({
      id: 'expire:a-1',
      kind: 'expire',
      title: 'Withdraw “Reply to Ines” if you have not decided',
    });
    fake.world.jobs = [waiting];
    render(Background);
    await screen.findByText('Nothing to do');
    expect(screen.queryByText(/Reply to Ines/)).toBeNull();
    const failed = job({ ...waiting, state: 'failed', next: null, why: 'The disk is full.' });
    expect(groupJobs([waiting, failed, { ...waiting, state: 'done' }])).toEqual({
      now: [],
      coming: [],
      over: [failed],
    });
  });

  it('follows what changes', async () => {
    fake.world.jobs = [];
    render(Background);
    await screen.findByText('Nothing to do');
    fake.world.jobs = [job({})];
    fake.world.changed('jobs');
    await screen.findByRole('button', { name: /^Stop: Call the landlord/ });
  });
});
