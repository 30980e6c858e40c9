import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { settings } from '../../host/fake/recorded';
import type { Setting } from '../../host';
import { KNOWN } from './sections';
import SettingRow from './SettingRow.svelte';

const one = (key: string): Setting => {
  const found = settings.find((setting) => setting.key === key);
  if (!found) throw new Error(key);
  return found;
};
const show = (key: string, more: Partial<Setting> = {}) =>
  render(SettingRow, { setting: { ...one(key), ...more }, known: KNOWN[key] ?? null });
const stored = () => fake.calls.filter(({ op }) => op === 'config_set').map(({ args }) => args);

describe('a setting', () => {
  it('that the window knows is said in its own words, one it does not know in the engine’s', () => {
    show('week_start');
    expect(screen.queryByText('The first day of the week.')).toBeNull();
    render(SettingRow, { setting: { ...one('week_start'), key: 'brand.new' }, known: null });
    screen.getByText('The first day of the week.');
  });

  it('that goes back to its default keeps who asked for that at it', async () => {
    const row = show('week_start', { value: 'sunday', default: 'monday', origin: 'profile' });
    await userEvent.click(screen.getByRole('button', { name: 'Back to the default' }));
    await waitFor(() => expect(stored()).toEqual([{ key: 'week_start', value: null }]));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox')));
    row.unmount();
  });

  it('of tiers is a box for each, and one stays', async () => {
    show('models.tiers', { value: 'fast, standard' });
    const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
    expect(['Fast', 'Standard', 'Deep'].map((name) => box(name).checked)).toEqual([true, true, false]);
    await userEvent.click(box('Deep'));
    await waitFor(() => expect(stored()).toEqual([{ key: 'models.tiers', value: 'fast, standard, deep' }]));
    document.body.replaceChildren();
    show('models.tiers', { value: 'fast' });
    await userEvent.click(box('Fast'));
    await screen.findByText('At least one has to stay on.');
    expect(box('Fast').checked).toBe(true);
    expect(stored().length).toBe(1);
  });

  it('of tiers keeps both of two that are ticked one after the other, before the first is stored', async () => {
    show('models.tiers', { value: 'fast' });
    for (const name of ['Standard', 'Deep']) screen.getByRole<HTMLInputElement>('checkbox', { name }).click();
    const both = ['fast, standard', 'fast, standard, deep'].map((value) => ({ key: 'models.tiers', value }));
    await waitFor(() => expect(stored()).toEqual(both));
  });

  it('of a time is stored when its field is left', async () => {
    show('work_start');
    const field = screen.getByLabelText<HTMLInputElement>('Work begins');
    for (const value of ['01:00', '10:00', '10:30']) {
      await fireEvent.input(field, { target: { value } });
      await fireEvent.change(field);
    }
    expect(stored()).toEqual([]);
    await fireEvent.blur(field);
    expect(stored()).toEqual([{ key: 'work_start', value: '10:30' }]);
  });

  it('of a time that is refused shows what is in force', async () => {
    fake.reset('read-only', 0);
    show('work_start');
    const field = screen.getByLabelText<HTMLInputElement>('Work begins');
    await fireEvent.input(field, { target: { value: '10:30' } });
    await fireEvent.blur(field);
    await screen.findByRole('alert');
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Work begins').value).toBe('09:00'));
  });
});
