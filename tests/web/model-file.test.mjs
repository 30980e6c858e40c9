// A model in a file: chosen, or downloaded after the person has agreed to size and licence, with the keyboard alone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { harness, settle } from './lib.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const { start, calls, end } = harness({ before, after });

async function form(page) {
  await page.getByRole('button', { name: 'Connect a model' }).press('Enter');
  await page.getByLabel('Provider').selectOption('file');
  await page.getByLabel('Model file').waitFor();
}

/** Returns WCAG violations on the page as it is now, in both themes. */
async function findings(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const found = [];
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    await settle(page);
    const seen = await page.evaluate(async () => {
      const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { violations } = await window.axe.run(document, { runOnly: { type: 'tag', values } });
      return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}`));
    });
    found.push(...seen);
  }
  return found;
}

describe('a model in a file', () => {
  it('is connected by its whole path, and has neither key nor prices', async () => {
    const page = await start({ at: 'settings/models' });
    await form(page);
    assert.equal(await page.getByLabel('Key').count(), 0);
    await page.getByLabel('Model file').fill('small.gguf');
    await page.getByRole('button', { name: 'Connect', exact: true }).press('Enter');
    await page.getByText('Choose a file, or write its whole path.').waitFor();
    assert.deepEqual(await findings(page), []);
    await page.getByLabel('Model file').fill('/models/small.gguf');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Test: Model on this computer' }).waitFor();
    const [{ args: made }] = await calls(page, 'connect_model');
    assert.equal(made.connection.kind, 'file');
    assert.equal(made.connection.base_url, '/models/small.gguf');
    assert.equal(made.connection.models.standard.id, 'small');
    await end(page);
  });

  it('is fetched only after what it is was shown and agreed to', async () => {
    const page = await start({ at: 'settings/models' });
    await form(page);
    const look = page.getByRole('button', { name: 'Look at it: Small 0.5B' });
    await look.press('Enter');
    const dialog = page.getByRole('dialog');
    for (const part of ['models.example', '491 MB', 'Apache-2.0', 'Against the checksum its server tells'])
      await dialog.getByText(part, { exact: true }).waitFor();
    assert.deepEqual(await findings(page), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await calls(page, 'fetch_model_file'), []);

    await look.press('Enter');
    await dialog.getByRole('button', { name: 'Agree and fetch' }).press('Enter');
    // Both show only while it is fetched, which does not wait for this test.
    await Promise.all([
      page.getByText('of 491 MB').waitFor(),
      page.getByRole('progressbar', { name: 'small.gguf' }).waitFor(),
    ]);
    assert.deepEqual(await findings(page), []);
    // The connection form is shown.
    await page.waitForFunction(() => document.querySelector('form input[dir="ltr"]')?.value.endsWith('/small.gguf'));
    await page.getByRole('button', { name: 'Use it: Small 0.5B' }).waitFor();
    const [{ args: fetched }] = await calls(page, 'fetch_model_file');
    assert.deepEqual(fetched.agreed, { bytes: 491400032, licence: 'Apache-2.0', sum: 'ab'.repeat(32) });
    await page.getByRole('button', { name: 'Connect', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Test: Model on this computer' }).waitFor();
    await end(page);
  });

  it('stops being fetched when it is stopped', async () => {
    const page = await start({ at: 'settings/models' });
    await form(page);
    await page.getByRole('button', { name: 'Look at it: Middle 1.5B' }).press('Enter');
    // So slow that it does not end before Stop is pressed, however busy the machine is.
    await page.evaluate(() => (window.fake.world.options.pace = 20));
    await page.getByRole('button', { name: 'Agree and fetch' }).press('Enter');
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Model file').inputValue(), '');
    assert.equal(await page.getByRole('alert').filter({ hasText: 'stopped' }).count(), 0);
    await page.getByRole('button', { name: 'Look at it: Middle 1.5B' }).waitFor();
    await end(page);
  });
});
