// Outgoing mail, the places values come from, and memories put aside, with the keyboard alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, settle, waitFocused } from './lib.mjs';

const { start, calls, called, applied, end, toast, undo } = harness({ before, after });

describe('mail on its way out', () => {
  it('is sent without waiting for the end of its hold, and says that no account can send it', async () => {
    const page = await start({ at: 'approvals/o-held', fake: 'held' });
    await page.getByRole('timer').waitFor();
    await press(page.getByRole('button', { name: 'Send now' }));
    await toast(page, 'No account can send it yet');
    assert.deepEqual((await calls(page, 'outbox'))[0].args, { id: 'o-held', act: 'send_now' });
    await page.locator('.hold').getByText('Saved. No account can send it yet').waitFor();
    await page.getByRole('timer').waitFor({ state: 'detached' });
    await end(page);
  });

  it('becomes a draft again, which is found among the drafts and asks before it is sent', async () => {
    const page = await start({ at: 'approvals/o-priya' });
    await press(page.getByRole('button', { name: 'Make it a draft' }));
    const back = await undo(page, 'is a draft again. Nothing was sent.');
    await page.getByRole('button', { name: 'Send…' }).waitFor();
    await press(back);
    await page.locator('.hold').getByText('Saved. No account can send it yet').waitFor();
    await end(page);
  });

  it('is looked for again; not finding it is said and nothing is sent', async () => {
    const page = await start({ at: 'approvals/o-invoice' });
    await press(page.getByRole('button', { name: 'Check again' }));
    await page.getByRole('alert').getByText('is not in Sent').waitFor();
    await settle(page);
    assert.equal(await page.getByRole('button', { name: /^Send/ }).count(), 0);
    assert.deepEqual(await applied(page), []);
    await end(page);
  });
});

describe('where a value comes from', () => {
  it('opens the mail with the words marked, and gives the focus back', async () => {
    const page = await start({ at: 'approvals/a-mail' });
    const source = page.getByRole('button', { name: 'Open the source: Mail of 12 Jan' });
    await press(source);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Lease renewal, Unit 4').waitFor();
    await eventually(
      async () => new Set(await dialog.locator('mark').allTextContents()),
      new Set(['billing@kelm-estates-office.example']),
    );
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitFocused(source);
    // Looking at a source decides nothing.
    assert.equal(await called(page, 'approve'), 0);
    await end(page);
  });

  it('leads to the event it is about', async () => {
    const page = await start({ at: 'approvals/a-move' });
    await press(page.getByRole('link', { name: 'Open the source: Your calendar' }));
    await page.waitForFunction(() => location.hash === '#/today/e-raj');
    await end(page);
  });
});

describe('a memory', () => {
  it('is kept and not used, and used again', async () => {
    const page = await start({ at: 'memory/m-raj' });
    await press(page.getByRole('button', { name: 'Don’t use' }));
    await toast(page, 'Kept, but no longer used');
    await page.getByText('This is kept and not used in answers.').waitFor();
    await press(page.getByRole('button', { name: 'Use again' }));
    await toast(page, 'Used again');
    assert.deepEqual(
      (await calls(page, 'use_memory')).map((call) => call.args),
      [
        { id: 'm-raj', on: false },
        { id: 'm-raj', on: true },
      ],
    );
    await end(page);
  });

  it('says in which answers it was used, and leads there', async () => {
    const page = await start({ at: 'memory/m-raj' });
    const use = page.locator('a.use').first();
    await use.waitFor();
    await press(use);
    await page.waitForFunction(() => location.hash.startsWith('#/chat/'));
    await end(page);
  });
});
