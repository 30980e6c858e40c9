import { render, screen, fireEvent } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fake } from '../host/fake';
import { live } from '../kit/live.svelte';
import { router } from '../kit/router.svelte';
import { commands, GROUPS } from './commands';
import { fuzzy } from './fuzzy';
import Palette from './Palette.svelte';

beforeEach(async () => {
  await live.reloadApprovals();
});

describe('the palette', () => {
  it('can open what waits, and has nothing that approves it', async () => {
    const all = commands();
    expect(all.filter((one) => one.group === 'waiting')).toHaveLength(4);
    fake.calls = [];
    for (const one of all) one.run();
    await tick();
    expect(fake.calls.filter((call) => ['approve', 'send_now'].includes(call.op))).toEqual([]);
    expect(all.every((one) => GROUPS.includes(one.group))).toBe(true);
  });

  it('opens the card of the chosen approval with Enter', async () => {
    render(Palette);
    await fireEvent.input(screen.getByRole('combobox'), { target: { value: 'mara raj' } });
    await vi.waitFor(() => expect(screen.getAllByRole('option')[0]?.textContent).toContain('Mara / Raj'));
    await fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
    await vi.waitFor(() => expect(router.route).toEqual({ surface: 'approvals', id: 'a-move' }));
  });

  it('finds what is kept here through the engine', async () => {
    render(Palette);
    await fireEvent.input(screen.getByRole('combobox'), { target: { value: 'raj works' } });
    await vi.waitFor(() => expect(screen.getByText('memory')).toBeTruthy());
  });
});

describe('fuzzy', () => {
  it('prefers words and their starts', () => {
    const score = (text: string) => fuzzy('set', text)?.score ?? -Infinity;
    expect(score('Settings')).toBeGreaterThan(score('Reset'));
    expect(score('Reset')).toBeGreaterThan(score('Some entries there'));
    expect(fuzzy('xyz', 'Settings')).toBeNull();
  });
  it('does not count case and accents, and marks the right letters', () => {
    expect(fuzzy('muller', 'Zoë Müller')?.runs).toEqual([[4, 10]]);
    expect(fuzzy('', 'anything')?.runs).toEqual([]);
  });
});
