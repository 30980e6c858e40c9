// Settings as people use them: the zone is chosen from a list, optional fields say so, and all tiers are on one screen.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectPriced, eventually, harness, press } from './lib.mjs';

const { start, calls, end } = harness({ before, after });

describe('settings', () => {
  it('have zones to choose from: the system’s first, others by what was typed', async () => {
    const page = await start({ at: 'settings/time' });
    const zone = page.getByLabel('Time zone');
    await zone.click();
    const options = page.locator('.options li');
    await eventually(
      () =>
        options
          .first()
          .textContent()
          .then((text) => text.trim()),
      'America/New_York',
    );
    await zone.fill('lisb');
    await eventually(() => options.count(), 1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(
      async () => (await calls(page, 'config_set')).map(({ args }) => args),
      [{ key: 'time_zone', value: 'Europe/Lisbon' }],
    );
    await eventually(() => zone.inputValue(), 'Europe/Lisbon');
    await page.locator('.toast').getByText('Time zone is changed').waitFor();
    await end(page);
  });

  it('say what is optional, and no command', async () => {
    const page = await start({ at: 'settings/health' });
    const models = page.locator('li', { hasText: 'Adjutant works without one' });
    await models.getByText('Optional').waitFor();
    assert.equal((await models.textContent()).includes('adjutant models'), false);
    await end(page);
  });

  it('show who answers for each tier, and how fast once it was tried', async () => {
    const page = await start({ at: 'settings/models' });
    await page.getByText('No model is connected').waitFor();
    await connectPriced(page, ['Lab'], 0);
    const tiers = page.locator('dl.tiers');
    await tiers.getByText('not tried').nth(2).waitFor();
    await press(page.getByRole('button', { name: 'Test: Lab' }));
    await tiers.getByText('tokens a second').nth(2).waitFor();
    assert.equal(await page.getByLabel('Length of the pause, in minutes').isVisible(), false);
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByLabel('Length of the pause, in minutes').waitFor();
    await end(page);
  });

  it('opens the folder of the data in the file manager', async () => {
    const page = await start({ at: 'settings/data' });
    const open = page.locator('[data-place="folder"]').getByRole('button', { name: 'Open' });
    await press(open);
    await eventually(() => page.evaluate(() => window.fake.opened), ['/home/mara/.local/share/adjutant/work']);
    await end(page);
  });
});
