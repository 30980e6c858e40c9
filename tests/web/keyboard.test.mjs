// The main tasks with the keyboard alone, and what must never happen with it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { launch, open, passGuard, serve, settle } from './lib.mjs';

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser.close();
  await server.close();
});

const start = (options) => open(browser.context, server.url, { pace: 0.05, ...options });
const calls = (page, op) => page.evaluate((op) => window.fake.calls.filter((call) => call.op === op), op);
const focused = (page) =>
  page.evaluate(() => {
    const node = document.activeElement;
    return node?.getAttribute('aria-label') ?? node?.textContent?.trim().slice(0, 40) ?? node?.tagName ?? '';
  });
const inRegion = (page) =>
  page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region') ?? '');

describe('by keyboard alone', () => {
  it('asks, reads the answer, asks again with ↑', async () => {
    const page = await start({ fake: 'empty' });
    await page.getByText('What can I take off your hands?').waitFor();
    assert.equal(await focused(page), 'Message Adjutant');
    await page.keyboard.type('What is on today?');
    await page.keyboard.press('Enter');
    await page.locator('.reply').getByText('free stretch from 13:30').waitFor();
    await page.getByText('46 ms').waitFor();
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.locator('textarea').inputValue(), 'What is on today?');
    assert.match(page.url(), /#\/chat\/c-/);
    assert.deepEqual(page.problems, []);
    await page.close();
  });

  it('says what happens before the engine has said anything', async () => {
    // Slow enough that the engine has not even taken the request.
    const page = await start({ fake: 'empty', pace: 3000 });
    await page.getByLabel('Message Adjutant').waitFor();
    await page.keyboard.type('What is on today?');
    await page.keyboard.press('Enter');
    await page.locator('.status').getByText('Reading your message').waitFor();
    assert.equal(await page.evaluate(() => window.fake.world.tables.conversations.length), 0);
    await page.close();
  });

  it('breaks a line with Shift Enter and sends nothing', async () => {
    const page = await start({ fake: 'empty' });
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    assert.equal(await page.locator('textarea').inputValue(), 'one\ntwo');
    assert.equal((await calls(page, 'ask')).length, 0);
    await page.close();
  });

  it('stops a running turn with Ctrl .', async () => {
    const page = await start({ fake: 'empty', pace: 1 });
    await page.keyboard.type('something slow');
    await page.keyboard.press('Enter');
    await page.locator('.status').getByText('Reading 4,000 messages').waitFor();
    await page.keyboard.press('Control+.');
    await page.getByText('Stopped before anything was done.').waitFor();
    await page.close();
  });

  it('approves: to the card, arm, Enter; and Enter alone did nothing before', async () => {
    const page = await start({ fake: 'one', at: 'approvals/a-move' });
    await page.locator('.ask').waitFor();
    await passGuard(page);
    await page.keyboard.press('Control+Shift+A');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-approval')), 'a-move');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    assert.equal((await calls(page, 'approve')).length, 0);
    await page.keyboard.press('a');
    assert.match(await focused(page), /Approve move/);
    await page.getByText('Armed. Enter approves').waitFor();
    await passGuard(page);
    await page.keyboard.press('Enter');
    await page.locator('.receipt').waitFor();
    assert.equal((await calls(page, 'approve')).length, 1);
    await page.close();
  });

  it('does not approve with a click that lands as the card appears', async () => {
    const page = await start({
      fake: 'one',
      at: 'approvals/a-move',
      // In the very task in which the button appears: no machine is too slow to be well inside the guard.
      before: () => {
        const watch = new MutationObserver(() => {
          const button = document.querySelector('.approve');
          if (!button) return;
          watch.disconnect();
          button.click();
          button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
          window.clickedAsItAppeared = true;
        });
        watch.observe(document, { childList: true, subtree: true });
      },
    });
    const approve = page.getByRole('button', { name: 'Approve move' });
    await approve.waitFor();
    assert.equal(await page.evaluate(() => window.clickedAsItAppeared), true);
    assert.equal((await calls(page, 'approve')).length, 0);
    await passGuard(page);
    await approve.click();
    await page.locator('.receipt, .hold').first().waitFor();
    assert.equal((await calls(page, 'approve')).length, 1);
    await page.close();
  });

  it('opens a long text only once it was read to its end, by keyboard', async () => {
    const page = await start({ at: 'approvals/a-mail', size: 'medium' });
    const approve = page.getByRole('button', { name: 'Approve send' });
    await approve.waitFor();
    assert.equal(await approve.getAttribute('aria-disabled'), 'true');
    await passGuard(page);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    assert.equal((await calls(page, 'approve')).length, 0);
    await page.locator('.letter').focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelector('.approve')?.getAttribute('aria-disabled') === 'false');
    await passGuard(page);
    await page.keyboard.press('a');
    await passGuard(page);
    await page.keyboard.press('Enter');
    await page.locator('.receipt').waitFor();
    assert.equal((await calls(page, 'approve')).length, 1);
    await page.close();
  });

  it('holds a send, and takes it back with Ctrl Z', async () => {
    const page = await start({ at: 'approvals/o-held', fake: 'held', pace: 1 });
    await page.getByRole('timer').waitFor();
    await page.locator('h1').focus();
    await page.keyboard.press('Control+z');
    await page.locator('.toast').getByText('Undone').waitFor();
    await page.waitForFunction(() => !window.fake.world.tables.outbox.some((mail) => mail.id === 'o-held'));
    await page.close();
  });

  it('rejects with X, and the toast brings a new card', async () => {
    const page = await start({ at: 'approvals/a-batch' });
    await page.locator('.ask').waitFor();
    await page.keyboard.press('x');
    await page.getByText('Rejected: Delete 23 tasks').waitFor();
    await page.locator('.toast').getByRole('button', { name: 'Ask again' }).press('Enter');
    await page.waitForURL(/approvals\/a-\d+/);
    await page.getByRole('button', { name: 'Approve 23' }).waitFor();
    await page.close();
  });

  it('edits a card into a new one whose fields say where they came from', async () => {
    const page = await start({ at: 'approvals/a-mail' });
    await page.locator('.ask').waitFor();
    await page.keyboard.press('e');
    await page.getByLabel(/^Subject/).fill('About Unit 4');
    await page.getByRole('button', { name: 'Save as a new card' }).press('Enter');
    await page.waitForURL(/approvals\/a-\d+/);
    const row = page.locator('.fact', { hasText: 'Subject' });
    assert.match(await row.textContent(), /About Unit 4.*You said/s);
    await page.close();
  });

  it('moves through the inbox with J, K and the arrows', async () => {
    const page = await start({ at: 'approvals' });
    await page.locator('.item').first().waitFor();
    const current = () => page.locator('.item[aria-current] .t').textContent();
    const first = await current();
    await page.keyboard.press('j');
    assert.notEqual(await current(), first);
    await page.keyboard.press('ArrowUp');
    assert.equal(await current(), first);
    await page.close();
  });

  it('goes round the regions with F6, along the rail with the arrows', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.plan .step').first().waitFor();
    assert.equal(await inRegion(page), 'compose');
    const seen = [];
    for (let n = 0; n < 4; n++) {
      await page.keyboard.press('F6');
      seen.push(await inRegion(page));
    }
    assert.deepEqual(seen, ['plan', 'rail', 'content', 'compose']);
    await page.keyboard.press('Shift+F6');
    assert.equal(await inRegion(page), 'content');
    await page.keyboard.press('Shift+F6');
    assert.match(await focused(page), /Chat/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.hash.startsWith('#/chat'));
    await page.close();
  });

  it('finds and goes with the palette, and gives the focus back', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').waitFor();
    await page.keyboard.press('Control+k');
    // It is loaded on demand; what is typed counts once it has the focus.
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await focused(page), 'Message Adjutant');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mara raj');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/approvals\/a-move/);
    assert.equal((await calls(page, 'approve')).length, 0);
    await page.close();
  });

  it('loses no key that is typed before the palette is there', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').waitFor();
    await page.getByLabel('Message Adjutant').focus();
    // The part of the program that draws it comes late.
    let let_go;
    const held = new Promise((done) => (let_go = done));
    await page.route(/Palette-.*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('activity');
    assert.equal(await page.locator('[role="combobox"]').count(), 0);
    let_go();
    await page.getByRole('combobox').waitFor();
    assert.equal(await page.getByRole('combobox').inputValue(), 'activity');
    assert.equal(await page.locator('textarea').inputValue(), '');
    await page
      .getByRole('option', { name: /Activity/ })
      .first()
      .waitFor();
    await page.close();
  });

  it('asks from the palette, in a conversation of its own', async () => {
    const page = await start({ at: 'tasks' });
    await page.locator('.task').first().waitFor();
    await page.keyboard.press('Control+k');
    // It is loaded on demand; what is typed counts once it has the focus.
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type('Remind me to call the bank');
    await page.keyboard.press('Control+Enter');
    await page.locator('.reply').getByText('The reminder is set for tomorrow, 09:00.').waitFor();
    assert.match(page.url(), /#\/chat\/c-/);
    assert.equal((await calls(page, 'ask')).length, 1);
    await page.close();
  });

  it('takes an item out of a batch: a new card with what remains', async () => {
    const page = await start({ at: 'approvals/a-batch' });
    await page.getByRole('checkbox', { name: /Renew domain/ }).press('Space');
    await page.waitForURL(/approvals\/a-\d+/);
    await page.getByRole('button', { name: 'Approve 22' }).waitFor();
    const [{ args }] = await calls(page, 'edit');
    assert.deepEqual([args.id, args.args.ids.length, args.args.ids.includes('old-3')], ['a-batch', 22, false]);
    assert.equal((await calls(page, 'approve')).length, 0);
    await page.close();
  });

  it('answers a question with a choice', async () => {
    const page = await start({ fake: 'empty' });
    await page.keyboard.type('which one is it');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Ana Ruiz, Northwind' }).press('Enter');
    await page.waitForFunction(() => window.fake.calls.some((call) => call.op === 'answer'));
    await page.close();
  });

  it('gives the words back when they could not be stored', async () => {
    const page = await start({ fake: 'failing', at: 'chat/main' });
    await page.locator('.note.stop').waitFor();
    await page.keyboard.type('do not lose this');
    await page.keyboard.press('Enter');
    await page.getByText('The disk is full').first().waitFor();
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'do not lose this');
    await page.close();
  });

  it('lists the keys with ?, not while writing', async () => {
    const page = await start({ at: 'approvals' });
    await page.locator('.item').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.close();
  });

  it('shows the focus everywhere it goes, never under the composer', async () => {
    const page = await start({ at: 'chat/main', size: 'medium' });
    await page.locator('.ask').waitFor();
    const hidden = [];
    for (let n = 0; n < 60; n++) {
      await page.keyboard.press('Tab');
      const bad = await page.evaluate(() => {
        const node = document.activeElement;
        if (!node || node === document.body) return null;
        const box = node.getBoundingClientRect();
        const x = box.x + Math.min(box.width, 40) / 2;
        const y = box.y + Math.min(box.height, 24) / 2;
        const top = document.elementFromPoint(x, y);
        const seen = top !== null && (node.contains(top) || top.contains(node));
        const ring = getComputedStyle(node).outlineStyle !== 'none' || node.closest('.box, .in') !== null;
        return seen && ring
          ? null
          : `${node.tagName} ${node.className} ${node.textContent?.slice(0, 20)} seen=${seen} ring=${ring}`;
      });
      if (bad) hidden.push(bad);
    }
    assert.deepEqual([...new Set(hidden)], []);
    await page.close();
  });
});

describe('reading on', () => {
  it('does not move who has scrolled away, and says that there is something new', async () => {
    const page = await start({ at: 'chat/main', size: 'narrow' });
    await page.locator('.ask').waitFor();
    const log = page.getByRole('log');
    await log.evaluate((node) => (node.scrollTop = -400));
    const before = await page
      .locator('.said')
      .first()
      .evaluate((node) => node.getBoundingClientRect().top);
    await page.evaluate(() => {
      window.fake.world.say('main', 'turn-9', {
        event: 'turn_started',
        text: 'a later question',
      });
      window.fake.world.say('main', 'turn-9', {
        event: 'token',
        text: 'A long answer. '.repeat(80),
      });
    });
    await page.getByRole('button', { name: 'New below' }).waitFor();
    const after = await page
      .locator('.said')
      .first()
      .evaluate((node) => node.getBoundingClientRect().top);
    assert.ok(Math.abs(after - before) < 2, `moved by ${after - before}`);
    await page.getByRole('button', { name: 'New below' }).press('Enter');
    await settle(page);
    assert.ok(Math.abs(await log.evaluate((node) => node.scrollTop)) < 2);
    await page.close();
  });

  it('asks before an address opens, and shows where it leads', async () => {
    const page = await start({ at: 'chat/c-lease' });
    await page.getByRole('link', { name: 'kelm-estates.example' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    assert.match(await dialog.textContent(), /kelm-estates\.example/);
    assert.deepEqual(await page.evaluate(() => window.fake.opened), []);
    await dialog.getByRole('button', { name: 'Open in browser' }).press('Enter');
    await page.waitForFunction(() => window.fake.opened.length === 1);
    await page.close();
  });

  it('paints the frame before any script has run', async () => {
    const page = await browser.context.newPage();
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(server.url).catch(() => {});
    assert.ok(await page.locator('.rail .logo svg').isVisible());
    await page.close();
  });
});
