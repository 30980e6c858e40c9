// Settings, Web and research: the key of a search engine can be entered, but is never shown again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { harness } from './lib.mjs';

const { start, calls, end, toast } = harness({ before, after });

describe('the key of a search engine', () => {
  it('is asked for where the engine wants one, kept, and forgotten', async () => {
    const page = await start({ at: 'settings/research' });
    assert.equal(await page.getByLabel(/^Key for/).count(), 0);
    await page.getByLabel('Search engine', { exact: true }).selectOption('brave');
    const field = page.getByLabel('Key for Brave');
    await field.fill(' BSA-1 ');
    assert.equal(await field.getAttribute('type'), 'password');
    await field.press('Enter');
    await toast(page, 'The key is in the keyring.');
    assert.equal(await field.inputValue(), '');
    await page.locator('.set').getByText('It is in the keyring.').waitFor();
    await page.getByRole('button', { name: 'Remove key' }).click();
    await toast(page, 'The key is removed.');
    await page.locator('.set').getByText('It is in the keyring.').waitFor({ state: 'detached' });
    const given = (await calls(page, 'secret_set')).map(({ args }) => args);
    assert.deepEqual(given, [
      { key: 'web.brave.key', value: 'BSA-1' },
      { key: 'web.brave.key', value: null },
    ]);
    await page.getByLabel('Search engine', { exact: true }).selectOption('wikipedia');
    await field.waitFor({ state: 'detached' });
    await end(page);
  });
});
