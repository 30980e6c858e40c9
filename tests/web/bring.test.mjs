// Files dropped on the conversation: offered, imported, and every refusal named.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { drag, harness, press, settle, waitFocused, watchFor } from './lib.mjs';

const { start, calls, called, end } = harness({ before, after });

describe('files dropped on the conversation', () => {
  it('are offered, and nothing is read before the person says so', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').waitFor();
    await page.getByLabel('Message Adjutant').fill('half a thought');
    await drag(page, ['work.ics'], { drop: false });
    await page.getByText('Drop files to import them').waitFor();
    await drag(page, ['work.ics', 'people.vcf', 'photo.png']);
    await page.getByText('Import these?').waitFor();
    await page.getByText('Drop files to import them').waitFor({ state: 'detached' });
    await page.getByText('a calendar').waitFor();
    await page.locator('.note').getByText('photo.png').waitFor();
    await settle(page);
    assert.equal(await called(page, 'import'), 0);
    // The text being written stays.
    assert.equal(await page.getByLabel('Message Adjutant').inputValue(), 'half a thought');
    await end(page);
  });

  it('come in with progress; what was refused is named, what cannot come in stays said', async () => {
    const page = await start({ at: 'chat/main', pace: 1 });
    await page.locator('.ask').waitFor();
    await drag(page, ['work.ics', 'people.vcf', 'photo.png']);
    // Shown only while the import runs.
    const progress = await watchFor(page, '[role="status"]', 'read, now');
    await press(page.getByRole('button', { name: 'Import 2 files' }));
    await progress();
    await page.getByText('The end is before the start.').waitFor();
    await page.locator('.refused').getByText('broken.ics line 40').waitFor();
    await page.locator('.note').getByText('photo.png').waitFor();
    const [call] = await calls(page, 'import');
    assert.deepEqual(call.args.paths, ['/home/mara/Downloads/work.ics', '/home/mara/Downloads/people.vcf']);
    await press(page.getByRole('button', { name: 'Close', exact: true }));
    await page.locator('.bring').waitFor({ state: 'detached' });
    await end(page);
  });

  it('are asked about wherever they are dropped, and the focus comes back', async () => {
    const page = await start({ at: 'notes' });
    const row = page.locator('.rows a.item').first();
    await row.focus();
    await drag(page, ['work.ics', 'photo.png']);
    const dialog = page.getByRole('dialog', { name: 'Import these?' });
    await dialog.getByText('a calendar').waitFor();
    await dialog.locator('.note').getByText('photo.png').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitFocused(row);
    assert.equal(await called(page, 'import'), 0);
    await drag(page, ['work.ics']);
    await press(dialog.getByRole('button', { name: 'Import 1 file' }));
    await dialog.getByText('The end is before the start.').waitFor();
    assert.equal(await called(page, 'import'), 1);
    await end(page);
  });

  it('can be left alone, and nothing that cannot come in is sent', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').waitFor();
    await drag(page, ['photo.png']);
    await page.locator('.note').getByText('photo.png').waitFor();
    assert.equal(await page.getByRole('button', { name: /Import \d/ }).count(), 0);
    await press(page.getByRole('link', { name: 'Allow a folder' }));
    await page.waitForFunction(() => location.hash === '#/settings/files');
    await settle(page);
    assert.equal(await called(page, 'import'), 0);
    await end(page);
  });

  it('can be chosen by keyboard instead', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').waitFor();
    await page.getByLabel('Message Adjutant').focus();
    await page.keyboard.press('Tab');
    await waitFocused(page.getByRole('button', { name: 'Import files' }));
    await page.keyboard.press('Enter');
    await page.getByText('work.ics').waitFor();
    await press(page.getByRole('button', { name: 'Not now' }));
    await page.locator('.bring').waitFor({ state: 'detached' });
    await end(page);
  });
});
