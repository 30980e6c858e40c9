// The search in the settings also finds places, and leads to them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectPriced, eventually, harness, settle } from './lib.mjs';

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
      // This place exists only once its content was loaded.
      await search.fill('budget');
      await page.getByRole('link', { name: 'Spending' }).click();
      await eventually(() => place(page), '#/settings/models');
      await eventually(() => at(page), 'spending');
      await end(page);
    });
  }

  it('leads to a button that can be reached with Tab afterwards, too', async () => {
    const page = await start({ at: 'settings' });
    await page.getByLabel('Search settings').fill('key');
    await page.getByRole('link', { name: 'Connect a model' }).click();
    await eventually(() => at(page), 'add');
    assert.equal(await page.getByRole('button', { name: 'Connect a model' }).getAttribute('tabindex'), null);
    await end(page);
  });

  it('leads to the head of the section where the thing is not there, and takes no focus later', async () => {
    const page = await start({ at: 'settings' });
    const search = page.getByLabel('Search settings');
    await search.fill('shadow');
    await page.getByRole('link', { name: 'Only compare' }).click();
    await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'Models');
    // Another action follows, outside the section too.
    await page.keyboard.press('Shift+Tab');
    const here = await page.evaluateHandle(() => document.activeElement);
    await connectPriced(page, ['Lab', 'Try'], 1);
    await page.getByLabel('Only compare').waitFor();
    await settle(page);
    assert.equal(await here.evaluate((one) => one === document.activeElement), true);
    await end(page);
  });
});
