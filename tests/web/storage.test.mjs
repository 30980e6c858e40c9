// A profile that cannot be written: every surface says so, with what to do, until it can be written again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, say, settle, waitFocused } from './lib.mjs';

const { start, called, end } = harness({ before, after });

describe('a profile that cannot be written', () => {
  it('is said once something was refused, stays while one looks around, and goes when it can be written again', async () => {
    const page = await start({ at: 'notes', fake: 'read-only' });
    await page.locator('.item').first().waitFor();
    const bar = page.getByRole('complementary', { name: 'Storage' });
    // Reading needs no writable disk.
    await settle(page);
    assert.equal(await bar.count(), 0);
    await page.evaluate(() => (location.hash = '#/chat'));
    const message = page.getByLabel('Message Adjutant');
    await say(message, 'Remind me of the bank');
    await bar.getByText('The profile cannot be written. Changes are not kept for now.').waitFor();
    await bar.getByText('Make the profile’s folder writable').waitFor();
    // The text is not lost.
    await eventually(() => message.inputValue(), 'Remind me of the bank');
    await page.evaluate(() => (location.hash = '#/today'));
    await page.locator('.slot').first().waitFor();
    await page.locator('body').press('F6');
    const again = bar.getByRole('button', { name: 'Check again' });
    for (let n = 0; n < 6 && !(await again.evaluate((one) => one === document.activeElement)); n += 1) {
      await page.keyboard.press('F6');
      await settle(page);
    }
    await waitFocused(again);
    await page.keyboard.press('Enter');
    await page.getByText('cannot be written: that place is read-only').waitFor();
    assert.equal(await called(page, 'doctor'), 1);
    await eventually(() => bar.count(), 1);
    await page.evaluate(() => (window.fake.world.options.scenario = 'populated'));
    await press(again);
    await bar.waitFor({ state: 'detached' });
    await page.getByText('Changes are kept again.').waitFor();
    await end(page);
  });

  it('is said at once where the profile was opened for reading only', async () => {
    const page = await start({ at: 'notes', fake: 'opened-read-only' });
    const bar = page.getByRole('complementary', { name: 'Storage' });
    await bar.getByText('The profile cannot be written. Changes are not kept for now.').waitFor();
    assert.equal(await called(page, 'ask'), 0);
    // The foot of the rail does not claim anything else.
    await page.locator('.rail .net').getByText('The profile cannot be written.').waitFor();
    assert.equal(await page.getByText('Everything working').count(), 0);
    await end(page);
  });
});
