// Mail and people by mouse and keyboard: what is pressed once, what the engine is asked, what is shown.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, settle } from './lib.mjs';

const { start, applied, calls, place, toast, undo, end } = harness({ before, after });

describe('Mail', () => {
  it('opens a mail, which counts as read once, and asks before a link', async () => {
    const page = await start({ at: 'mail' });
    await page.locator('.mrow.unread', { hasText: '1:1 this week' }).click();
    await page.getByText('Thursday before lunch').last().waitFor();
    await page.locator('.mrow:not(.unread)', { hasText: '1:1 this week' }).waitFor();
    assert.deepEqual(await applied(page), [['email.mark', { ids: ['mail-raj'], read: true }]]);
    await page.locator('.mrow', { hasText: 'Lease renewal' }).click();
    await page.getByRole('button', { name: 'https://portal.kelm-estates.example/unit-4' }).click();
    await page.getByRole('dialog').getByText('portal.kelm-estates.example', { exact: true }).waitFor();
    assert.deepEqual(await page.evaluate(() => window.fake.opened), []);
    await end(page);
  });

  it('shows a thread whole, quotations folded', async () => {
    const page = await start({ at: 'mail/mail-kelm' });
    await page.getByRole('button', { name: '3 older mails' }).click();
    await page.getByRole('button', { name: /^Show the mail of You/ }).click();
    await page.getByText('two years from 1 March would suit us.').last().waitFor();
    await eventually(
      () => page.getByText('Would you like to renew it?', { exact: false }).filter({ visible: true }).count(),
      1,
    );
    await page.getByRole('button', { name: 'Show what is quoted' }).click();
    await eventually(
      () => page.getByText('Would you like to renew it?', { exact: false }).filter({ visible: true }).count(),
      2,
    );
    await end(page);
  });

  it('is walked, archived and taken back with keys alone', async () => {
    const page = await start({ at: 'mail' });
    await page.locator('.mrow').first().waitFor();
    await page.keyboard.press('j');
    await eventually(() => place(page), '#/mail/mail-deals');
    await page.getByText('New fares on 12 routes').last().waitFor();
    await page.keyboard.press('e');
    await toast(page, 'Moved 1 to archive.');
    await page.locator('.mrow', { hasText: 'London from' }).waitFor({ state: 'detached' });
    const back = await undo(page, 'Moved 1 to archive.');
    await back.press('Enter');
    await page.locator('.mrow', { hasText: 'London from' }).waitFor();
    await end(page);
  });

  it('answers through a card', async () => {
    const page = await start({ at: 'mail/mail-raj' });
    await page.getByText('Thursday before lunch').last().waitFor();
    await page.keyboard.press('r');
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('Thursday at eleven, then.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve send' }).waitFor();
    assert.equal(await place(page), '#/mail/mail-raj');
    const all = await applied(page);
    assert.deepEqual(all.at(-1), ['email.reply', { id: 'mail-raj', body: 'Thursday at eleven, then.' }]);
    await end(page);
  });

  it('draws only what is in view of ten thousand, and asks for more at the end', async () => {
    const page = await start({ at: 'mail' });
    await page.locator('.mrow').first().waitFor();
    await page.evaluate(() => {
      const { world } = window.fake;
      const one = world.tables.mail.find((mail) => mail.id === 'mail-policy');
      const at = Date.parse('2026-01-13T08:00:00-05:00');
      world.tables.mail = Array.from({ length: 10_000 }, (_, n) => ({
        ...one,
        id: `m${n}`,
        thread: `m${n}`,
        subject: `Mail ${n}`,
        date: new Date(at - n * 3_600_000).toISOString(),
      }));
      world.changed('mail');
    });
    await page.locator('.mrow').getByText('Mail 0', { exact: true }).waitFor();
    await eventually(async () => (await page.locator('.mrow').count()) < 120, true);
    const limits = async () =>
      (await calls(page, 'show')).filter((call) => call.args.what === 'mail').map((call) => call.args.limit);
    assert.equal(Math.max(...(await limits())), 200);
    await page.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await eventually(async () => Math.max(...(await limits())) >= 400, true);
    await settle(page);
    await eventually(async () => (await page.locator('.mrow').count()) < 120, true);
    await end(page);
  });

  it('says where mail comes from while there is none', async () => {
    const page = await start({ at: 'mail', fake: 'empty' });
    await page.getByRole('link', { name: 'Bring in mail' }).click();
    await eventually(() => place(page), '#/settings/data');
    await end(page);
  });
});

describe('People', () => {
  it('lead to their mails and events, and back from a mail', async () => {
    const page = await start({ at: 'contacts/c-raj' });
    await page.getByRole('link', { name: /1:1 this week/ }).click();
    await eventually(() => place(page), '#/mail/mail-raj');
    await page.getByRole('link', { name: 'in your address book' }).click();
    await eventually(() => place(page), '#/contacts/c-raj');
    await page.getByRole('link', { name: /Mara \/ Raj/ }).click();
    await eventually(() => place(page), '#/today/e-raj');
    await end(page);
  });

  it('are changed with only what was typed', async () => {
    const page = await start({ at: 'contacts/c-raj' });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Relation to you').fill('colleague');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => applied(page), [['contact.update', { id: 'c-raj', changes: { relation: 'colleague' } }]]);
    await end(page);
  });
});
