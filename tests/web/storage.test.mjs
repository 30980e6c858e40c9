// A profile that cannot be written: said over every surface, with what to do, until it can be written again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { harness } from './lib.mjs';

const { start, calls, focused, end } = harness({ before, after });

describe('a profile that cannot be written', () => {
  it('is said once something was refused, stays while one looks around, and goes when it can be written again', async () => {
    const page = await start({ at: 'notes', fake: 'read-only' });
    await page.locator('.item').first().waitFor();
    const bar = page.getByRole('complementary', { name: 'Storage' });
    // Reading needs no disk to write to.
    assert.equal(await bar.count(), 0);
    await page.evaluate(() => (location.hash = '#/chat'));
    await page.getByLabel('Message Adjutant').fill('Remind me of the bank');
    await page.keyboard.press('Enter');
    await bar.getByText('The profile cannot be written. Changes are not kept for now.').waitFor();
    await bar.getByText('Make the profile’s folder writable').waitFor();
    // The words are not lost.
    assert.equal(await page.getByLabel('Message Adjutant').inputValue(), 'Remind me of the bank');
    await page.evaluate(() => (location.hash = '#/today'));
    await page.locator('.slot').first().waitFor();
    await page.locator('body').press('F6');
    for (let n = 0; n < 6 && (await focused(page)) !== 'Check again'; n += 1) await page.keyboard.press('F6');
    assert.equal(await focused(page), 'Check again');
    await page.keyboard.press('Enter');
    await page.getByText('cannot be written: Read-only file system').waitFor();
    assert.equal((await calls(page, 'doctor')).length, 1);
    assert.equal(await bar.count(), 1);
    await page.evaluate(() => (window.fake.world.options.scenario = 'populated'));
    await bar.getByRole('button').press('Enter');
    await bar.waitFor({ state: 'detached' });
    await page.getByText('Changes are kept again.').waitFor();
    await end(page);
  });

  it('is said at once where the profile was opened for reading only', async () => {
    const page = await start({ at: 'notes', fake: 'opened-read-only' });
    const bar = page.getByRole('complementary', { name: 'Storage' });
    await bar.getByText('The profile cannot be written. Changes are not kept for now.').waitFor();
    assert.equal((await calls(page, 'ask')).length, 0);
    await end(page);
  });
});
