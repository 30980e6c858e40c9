// In a narrow window, lists have the same search as in a wide one: a magnifier opens the field over the bar.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, waitFocused } from './lib.mjs';

const { start, end, place } = harness({ before, after });

const LISTS = [
  ['tasks', 'Search tasks', '.task', 'lease'],
  ['notes', 'Search notes', '.item', 'Raj'],
  ['memory', 'Search memory', '.item', 'London'],
  ['activity', 'Search activity', '.item', 'task'],
];

describe('a narrow window', () => {
  for (const [at, label, row, words] of LISTS) {
    it(`finds in ${at} by the magnifier, and shows everything again afterwards`, async () => {
      const page = await start({ at, size: 'narrow' });
      const rows = page.locator(row);
      await rows.first().waitFor();
      const all = await rows.count();
      const opener = page.getByRole('button', { name: label });
      await opener.click();
      const field = page.getByRole('searchbox', { name: label });
      await waitFocused(field);
      await field.fill('qqzzx');
      await eventually(() => rows.count(), 0);
      await field.fill(words);
      await eventually(async () => {
        const found = await rows.count();
        return found > 0 && found <= all;
      }, true);
      await page.getByRole('button', { name: 'End the search' }).click();
      await eventually(() => rows.count(), all);
      await waitFocused(opener);
      await end(page);
    });
  }

  it('opens the field with Ctrl F, and Escape closes it', async () => {
    const page = await start({ at: 'tasks', size: 'narrow' });
    await page.locator('.task').first().waitFor();
    await page.keyboard.press('Control+f');
    const field = page.getByRole('searchbox', { name: 'Search tasks' });
    await waitFocused(field);
    await page.keyboard.press('Escape');
    await eventually(() => field.isVisible(), false);
    await waitFocused(page.getByRole('button', { name: 'Search tasks' }));
    await end(page);
  });

  it('has no filter of the list above one task, and Ctrl F leads back to the list', async () => {
    const page = await start({ at: 'tasks/t-lease', size: 'narrow' });
    await page.locator('.detail .form').waitFor();
    assert.equal(await page.getByRole('group', { name: 'Show' }).isVisible(), false);
    assert.equal(await page.getByRole('button', { name: 'Search tasks' }).isVisible(), false);
    await page.keyboard.press('Control+f');
    await waitFocused(page.getByRole('searchbox', { name: 'Search tasks' }));
    await eventually(() => place(page), '#/tasks');
    await end(page);
  });
});
