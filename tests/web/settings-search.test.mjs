// The search of the settings finds places as well, and leads to them.
import { after, before, describe, it } from 'node:test';
import { eventually, harness } from './lib.mjs';

const { start, end, place } = harness({ before, after });
const at = (page) => page.evaluate(() => document.activeElement?.getAttribute('data-place'));

describe('the search of the settings', () => {
  for (const size of ['wide', 'narrow']) {
    it(`leads to what is searched for, ${size}`, async () => {
      const page = await start({ at: 'settings', size });
      const search = page.getByLabel('Search settings');
      await search.fill('erase');
      await page.getByRole('link', { name: 'Erase everything' }).click();
      await eventually(() => place(page), '#/settings/data');
      await eventually(() => at(page), 'erase');
      await eventually(() => search.inputValue(), '');
      // This one is there only when what it shows was loaded.
      await search.fill('budget');
      await page.getByRole('link', { name: 'Spending' }).click();
      await eventually(() => place(page), '#/settings/models');
      await eventually(() => at(page), 'spending');
      await end(page);
    });
  }
});
