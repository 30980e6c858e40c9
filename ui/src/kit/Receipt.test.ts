import { render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../host/fake';
import { activity } from '../host/fake/rows';
import { live } from './live.svelte';
import Receipt from './Receipt.svelte';
import { eventually } from './test/eventually';

const LISTED = 12;
const ALL = 19;
const names = Array.from({ length: ALL }, (_, at) => `Deal of the day ${at + 1}`);
const say = `Moved ${ALL} mails to the trash.\n\n${names
  .slice(0, LISTED)
  .map((name) => `- Daily Deals: ${name}`)
  .join('\n')}\n\nand ${ALL - LISTED} more`;
const proof = (label: string) => ({ kind: 'mail', id: label, label, version: 2, digest: null });

function show(proven: string[]) {
  const [row] = activity;
  if (!row) throw new Error('no effects');
  live.effects = [{ ...row, id: 'e-many', say, undo: 'available', receipt: { rows: proven.map(proof) } }];
  return render(Receipt, { id: 'e-many' }).container;
}

describe('the receipt of a change of many things', () => {
  beforeEach(() => {
    fake.reset('empty', 0);
    live.wantEffects();
  });

  it('names their number once and lists all of them', async () => {
    await eventually(() => expect(live.effects).toEqual([]));
    const view = show(names);
    expect(view.textContent).not.toContain('more');
    expect(screen.getByText('Moved 19 mails to the trash.')).toBeTruthy();
    expect(screen.getByText('Show all 19')).toBeTruthy();
    expect(view.querySelectorAll('li')).toHaveLength(ALL);
  });

  it('says how many of them it lists where the rest is not named', () => {
    const view = show([]);
    expect(screen.getByText('Show 12 of 19')).toBeTruthy();
    expect(view.querySelectorAll('li')).toHaveLength(LISTED);
  });
});
