// Mail and people by mouse and keyboard: what takes one press, the requests to the engine, and what is shown.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { drag, eventually, harness, passGuard, settle, waitFocused } from './lib.mjs';

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
    // The next one follows, with the focus.
    await eventually(() => place(page), '#/mail/mail-kelm');
    await waitFocused(page.locator('.mrow', { hasText: 'Lease renewal' }));
    const back = await undo(page, 'Moved 1 to archive.');
    await back.press('Enter');
    await page.locator('.mrow', { hasText: 'London from' }).waitFor();
    await end(page);
  });

  it('offers to search at the provider where little was found, and shows what would leave', async () => {
    const page = await start({ at: 'mail' });
    await page.locator('.mrow').first().waitFor();
    await page.evaluate(() => {
      const { world } = window.fake;
      const kim = {
        id: 'acc_kim',
        kind: 'imap',
        label: 'kim@home.example',
        addresses: [],
        settings: {},
        state: 'ready',
        read: null,
        problem: null,
      };
      world.accounts.rows = [...world.accounts.rows, kim];
      world.collections = [
        ...world.collections,
        { ...world.collections[0], id: 'col_in', account: kim.id, kind: 'mailbox', name: 'Inbox' },
      ];
      world.changed('accounts');
    });
    await page.getByRole('searchbox', { name: 'Search mail' }).fill('zebrafish');
    await page.getByText('“zebrafish” goes to the provider of kim@home.example').waitFor();

    await page.getByRole('button', { name: 'Search at the provider' }).click();
    await eventually(() => place(page), '#/chat/new');
    await eventually(() => page.locator('textarea').first().inputValue(), 'Search my mail accounts for zebrafish');
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

  it('takes files, a quotation and a time along, and keeps what was not sent as a draft', async () => {
    const page = await start({ at: 'mail/mail-raj' });
    await page.getByText('Thursday before lunch').last().waitFor();
    await page.keyboard.press('r');
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('Agreed.');
    await page.getByRole('button', { name: 'Quote' }).click();
    const quoted =
      'Agreed.\n\nTue 13 Jan, 08:57, Raj Patel wrote:\n> Thursday before lunch works on my side, 16:00 here.\n>\n> Raj';
    await eventually(async () => (await text.inputValue()).trim(), quoted);
    await page.getByRole('button', { name: 'Attach files' }).click();
    await page.getByRole('button', { name: 'Remove work.ics' }).click();
    await page.getByRole('button', { name: 'Choose a time' }).click();
    await page.getByLabel('When it leaves').fill('tomorrow at 8:00');
    await page.getByLabel('When it leaves').press('Enter');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve send' }).waitFor();
    const [tool, args] = (await applied(page)).at(-1);
    assert.equal(tool, 'email.reply');
    assert.deepEqual(args, {
      id: 'mail-raj',
      body: quoted,
      attach: ['/home/mara/Documents/plan.pdf'],
      send_at: '2026-01-14T08:00:00-05:00[America/New_York]',
    });
    await page.keyboard.press('Escape');
    // The card keeps what was proposed; later edits are neither sent nor lost.
    await text.fill('Agreed, or Friday.');
    await page.locator('.mrow', { hasText: 'Lease renewal' }).click();
    await toast(page, 'Draft saved.');
    const { draft: _, ...kept } = (await applied(page)).filter(([tool]) => tool === 'email.draft').at(-1)[1];
    assert.deepEqual(kept, { cc: [], bcc: [], body: 'Agreed, or Friday.', in_reply_to: 'mail-raj' });
    // The reply is found again at its mail.
    await page.locator('.mrow', { hasText: '1:1 this week' }).click();
    await page.getByRole('button', { name: /^Your draft: Agreed, or Friday/ }).waitFor();
    await page.keyboard.press('r');
    await eventually(() => text.inputValue(), 'Agreed, or Friday.');
    await waitFocused(text);
    await end(page);
  });

  it('is a draft a few seconds after it was typed, always the same one, and is sent in its place', async () => {
    const page = await start({ at: 'mail/new' });
    await page.getByLabel('To', { exact: true }).fill('ana@example.org');
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('Half a');
    await page.getByText('Saved as a draft.').waitFor();
    const drafts = async () => (await applied(page)).filter(([tool]) => tool === 'email.draft').map(([, args]) => args);
    assert.deepEqual(await drafts(), [{ to: ['ana@example.org'], cc: [], bcc: [], subject: '', body: 'Half a' }]);
    await text.fill('Half a thought.');
    await eventually(async () => (await drafts()).length, 2);
    const [, { draft, body }] = await drafts();
    assert.equal(body, 'Half a thought.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const card = page.getByRole('dialog');
    const approve = card.getByRole('button', { name: 'Approve send' });
    await approve.waitFor();
    assert.equal((await applied(page)).at(-1)[1].draft, draft);
    // Its text does not fit, so approving counts only once the text was scrolled to its end.
    await card.evaluate((node) => {
      for (const one of node.querySelectorAll('*')) one.scrollTop = one.scrollHeight;
    });
    await eventually(() => approve.getAttribute('aria-disabled'), 'false');
    await passGuard(page);
    await approve.click();
    // The form is gone then, so nothing can be sent twice.
    await text.waitFor({ state: 'detached' });
    await end(page);
  });

  it('takes files that are dropped or pasted, and says of a picture what to do', async () => {
    const page = await start({ at: 'mail/new' });
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('With the plan.');
    await drag(page, ['plan.pdf']);
    await page.getByRole('button', { name: 'Remove plan.pdf' }).waitFor();
    const paste = (data) =>
      text.evaluate((field, [list, picture]) => {
        const clipboardData = new DataTransfer();
        if (list) clipboardData.setData('text/uri-list', list);
        if (picture) clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, data);
    await paste(['file:///home/mara/Documents/no%20name.txt\r\n', false]);
    await page.getByRole('button', { name: 'Remove no name.txt' }).waitFor();
    await paste(['', true]);
    await toast(page, 'This is not a file on this computer.');
    assert.equal(await text.inputValue(), 'With the plan.');
    await end(page);
  });

  it('is deleted, labelled and picked with keys alone', async () => {
    const page = await start({ at: 'mail' });
    await page.locator('.mrow').first().waitFor();
    await page.keyboard.press('x');
    await page.getByRole('region', { name: '1 thread selected' }).waitFor();
    await page.locator('.mrow').first().focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('region', { name: '2 threads selected' }).waitFor();
    await page.keyboard.press('l');
    await page.getByLabel('New labels').fill('Later');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('e');
    await toast(page, 'Moved 2 to archive.');
    const all = await applied(page);
    const ids = ['mail-raj', 'mail-deals'];
    assert.deepEqual(
      all.filter(([tool]) => tool !== 'email.mark'),
      [
        ['email.label', { ids, add: ['Later'] }],
        ['email.archive', { ids }],
      ],
    );
    await page.getByRole('region', { name: '2 threads selected' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Delete');
    await toast(page, 'Deleted');
    await end(page);
  });

  it('is sorted one by one: people first, one key each, and back', async () => {
    const page = await start({ at: 'mail' });
    await page.locator('.mrow').first().waitFor();
    await page.keyboard.press('g');
    await page.getByRole('heading', { name: '1:1 this week' }).waitFor();
    await page.getByText('People', { exact: true }).last().waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: 'London from' }).waitFor();
    await page.getByText('Newsletters', { exact: true }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: '1:1 this week' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByText('That was the last one').waitFor();
    assert.deepEqual(await applied(page), [
      ['email.mark', { ids: ['mail-raj'], read: true }],
      ['email.archive', { ids: ['mail-deals'] }],
    ]);
    await page.keyboard.press('Escape');
    await eventually(() => place(page), '#/mail');
    await end(page);
  });

  it('shows a designed mail in a frame that loads nothing until its images are wanted', async () => {
    const page = await start({ at: 'mail/mail-deals' });
    const frame = page.frameLocator('iframe');
    await frame.getByText('New fares on 12 routes').waitFor();
    await page.getByText('1 image not loaded · 1 tracking pixel blocked').waitFor();
    assert.equal(await frame.locator('img, a[href], script, form').count(), 0);
    // As tall as its content, so nothing scrolls in it.
    const fits = () =>
      page
        .locator('iframe')
        .evaluate((one) => one.clientHeight >= one.contentDocument.body.scrollHeight && one.clientHeight > 200);
    await eventually(fits, true);
    await page.getByRole('button', { name: 'London from €39, leads to raildeals.example' }).click();
    await page.getByRole('dialog').getByText('raildeals.example', { exact: true }).waitFor();
    assert.deepEqual(await page.evaluate(() => window.fake.opened), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show once' }).click();
    await eventually(() => frame.locator('img[src^="data:image/png"]').count(), 1);
    await page.getByText('1 tracking pixel blocked', { exact: true }).waitFor();
    await eventually(fits, true);
    const asked = (await calls(page, 'mail_page')).map((call) => call.args.images);
    assert.deepEqual(asked, [undefined, true]);
    await page.getByRole('button', { name: 'As text' }).click();
    await page.getByText('New fares on 12 routes, and a longer sale on the night train.').last().waitFor();
    assert.equal(await page.locator('iframe').count(), 0);
    await end(page);
  });

  it('leaves a list behind a card, and says first where that leads', async () => {
    const page = await start({ at: 'mail/mail-deals' });
    await page.getByText('Unsubscribing sends one request to raildeals.example; no page is opened.').waitFor();
    await page.keyboard.press('u');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).waitFor();
    assert.deepEqual((await applied(page)).at(-1), ['email.unsubscribe', { id: 'mail-deals' }]);
    await end(page);
  });

  it('shows the images of a sender at once after that was chosen', async () => {
    const page = await start({ at: 'mail/mail-deals' });
    await page.getByRole('button', { name: 'Always for this sender' }).click();
    await eventually(() => page.frameLocator('iframe').locator('img[src^="data:"]').count(), 1);
    await page.locator('.mrow', { hasText: '1:1 this week' }).click();
    await page.locator('.mrow', { hasText: 'London from' }).click();
    await eventually(() => page.frameLocator('iframe').locator('img[src^="data:"]').count(), 1);
    assert.equal((await calls(page, 'mail_page')).at(-1).args.images, undefined);
    await end(page);
  });

  it('answers the invitation that a mail carries', async () => {
    const page = await start({ at: 'mail' });
    await page.locator('.mrow').first().waitFor();
    await page.evaluate(() => {
      const { world } = window.fake;
      const raj = world.tables.mail.find((mail) => mail.id === 'mail-raj');
      raj.files = [{ name: 'invitation.ics', size: 612 }];
      world.changed('mail');
    });
    await page.locator('.mrow', { hasText: '1:1 this week' }).click();
    const card = page.getByRole('region', { name: 'Raj Patel invites you' });
    await card.getByText('Room 2').waitFor();
    await card.getByRole('button', { name: 'Accept' }).click();
    const answer = ['calendar.respond', { mail: 'mail-raj', response: 'accepted' }];
    await eventually(async () => (await applied(page)).at(-1), answer);
    await page.getByRole('dialog', { name: 'Answer the invitation' }).waitFor();
    await end(page);
  });

  it('lets nothing of a hostile mail run, load or lead away', async () => {
    const page = await start({ at: 'mail' });
    await page.locator('.mrow').first().waitFor();
    // As if the engine had let everything through: the frame alone has to contain it.
    await page.evaluate(() => {
      window.hostile =
        '<p>Hello</p><script>parent.ran = 1</script><img src="x" onerror="parent.ran = 2"><svg onload="parent.ran = 3"></svg>' +
        '<form action="https://a.example/"><input name="q"><button>Go</button></form><a href="javascript:parent.ran = 4">js</a>' +
        '<meta http-equiv="refresh" content="0;url=https://a.example/"><iframe src="https://a.example/"></iframe>';
      window.fake.pages = { 'mail-deals': window.hostile };
    });
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.locator('.mrow', { hasText: 'London from' }).click();
    await page.frameLocator('iframe').first().getByText('Hello').waitFor();
    await page.frameLocator('iframe').first().getByRole('button', { name: 'Go' }).click();
    await settle(page);
    assert.equal(await page.evaluate(() => window.ran), undefined);
    assert.deepEqual(
      asked.filter((url) => url.includes('a.example')),
      [],
    );
    // The console reports what was refused, which is what this test is about.
    assert.ok(page.problems.length > 0);
    page.problems.length = 0;
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
    await page.getByRole('link', { name: 'Import mail' }).click();
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
