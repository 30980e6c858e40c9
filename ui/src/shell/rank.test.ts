import { render, screen, fireEvent } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { fake } from '../host/fake';
import { live } from '../kit/live.svelte';
import { recent } from '../kit/recent';
import { eventually } from '../kit/test/eventually';
import Palette from './Palette.svelte';
import { FITS, fitOf, ranked } from './rank';

describe('what fits the typed text', () => {
  it('is first what is called so, then what was opened lately, then what begins so', () => {
    expect(fitOf('raj', 'Raj', false)).toBe(FITS.exact);
    expect(fitOf('Zoe', 'Zoë', false)).toBe(FITS.exact);
    expect(fitOf('raj', 'Notes from 1:1 with Raj', true)).toBe(FITS.recent);
    expect(fitOf('raj', 'Maharaj', true)).toBe(FITS.other);
    expect(fitOf('raj', 'Raj Patel', false)).toBe(FITS.begins);
    expect(fitOf('raj', 'Notes from 1:1 with Raj', false)).toBe(FITS.other);
    expect(fitOf('', 'Raj', true)).toBe(FITS.other);
  });

  it('takes its group to the top, below an answer', () => {
    const one = (group: 'answer' | 'waiting' | 'kept', id: string, fit: 0 | 1 | 2 | 3, score = 0) => ({
      ...{ group, id, fit, match: { score } },
    });
    const ids = ranked([
      one('waiting', 'w', FITS.other),
      one('kept', 'near', FITS.other, 9),
      one('kept', 'exact', FITS.exact),
      one('kept', 'begins', FITS.begins),
      one('answer', 'a', FITS.other),
    ]).map(({ id }) => id);
    expect(ids).toEqual(['a', 'exact', 'begins', 'near', 'w']);
  });
});

describe('the palette', () => {
  const labels = () =>
    screen.getAllByRole('option').map((one) => one.querySelector('.trunc')?.textContent?.trim() ?? '');
  const type = (words: string) => fireEvent.input(screen.getByRole('combobox'), { target: { value: words } });
  afterEach(() => recent.forget());

  it('puts what is called so, or was opened lately, above what waits', async () => {
    await live.reloadApprovals();
    fake.world.search = () => [
      { topic: 'contacts', id: 'c-raj', title: 'Raj Patel', snippet: '' },
      { topic: 'notes', id: 'n-raj', title: 'Notes from 1:1 with Raj', snippet: '' },
    ];
    render(Palette);
    await type('raj');
    await eventually(() => expect(labels().join()).toContain('Raj Patel'));
    // Nothing is called so exactly: what waits stands first, as always.
    expect(labels()[0]).toContain('Look at');
    await type('raj patel');
    await eventually(() => expect(labels()[0]).toContain('Raj Patel'));
    recent.add({ topic: 'notes', id: 'n-raj', title: 'Notes from 1:1 with Raj' });
    await type('raj');
    await eventually(() => expect(labels()[0]).toContain('Notes from 1:1 with Raj'));
    await type('today');
    await eventually(() => expect(labels()[0]).toContain('Today'));
  });

  it('asks what is a request, although it was asked before', async () => {
    live.conversations = [
      { id: 'c1', title: 'Call the bank', created: '', updated: '', messages: 2, pinned: false, archived: false },
    ];
    fake.world.search = () => [];
    render(Palette);
    await type('call the bank');
    await eventually(() => expect(labels()[0]).toContain('Ask “call the bank”'));
  });
});
