// The main tasks with the keyboard alone, and what a key must never do.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, passGuard, press, settle, waitFocused } from './lib.mjs';

const { start, blank, calls, called, focused, place, end } = harness({ before, after });

const inRegion = (page) =>
  page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region') ?? '');

/** Writes in the composer once it accepts keys; it needs no focus first. */
async function write(page, words) {
  await waitFocused(page.getByLabel('Message Adjutant'));
  await page.keyboard.type(words);
}

/** Opens the palette, which is loaded on demand; its field then gets the keys. */
async function openPalette(page) {
  await page.keyboard.press('Control+k');
  await waitFocused(page.getByRole('dialog').getByRole('combobox'));
}

describe('by keyboard alone', () => {
  it('asks, reads the answer, asks again with ↑', async () => {
    const page = await start({ fake: 'empty' });
    await page.getByText('What can I take off your hands?').waitFor();
    await write(page, 'What is on today?');
    await page.keyboard.press('Enter');
    await page.locator('.reply').getByText('free stretch from 13:30').waitFor();
    await page.getByText('46 ms').waitFor();
    await waitFocused(page.locator('textarea'));
    await page.keyboard.press('ArrowUp');
    await eventually(() => page.locator('textarea').inputValue(), 'What is on today?');
    await page.waitForURL(/#\/chat\/c-/);
    await end(page);
  });

  it('says what happens before the engine has said anything', async () => {
    // So slow that on no machine the engine has even accepted the request.
    const page = await start({ fake: 'empty', pace: 1_000_000 });
    await write(page, 'What is on today?');
    await page.keyboard.press('Enter');
    await page.locator('.status').getByText('Reading your message').waitFor();
    assert.equal(await page.evaluate(() => window.fake.world.tables.conversations.length), 0);
    await end(page);
  });

  it('breaks a line with Shift Enter and sends nothing', async () => {
    const page = await start({ fake: 'empty' });
    await write(page, 'one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await eventually(() => page.locator('textarea').inputValue(), 'one\ntwo');
    await settle(page);
    assert.equal(await called(page, 'ask'), 0);
    await end(page);
  });

  it('stops a running turn with Ctrl .', async () => {
    // It runs for minutes.
    const page = await start({ fake: 'empty', pace: 20 });
    await write(page, 'something slow');
    await page.keyboard.press('Enter');
    await page.locator('.status').getByText('Reading 4,000 messages').waitFor();
    await page.keyboard.press('Control+.');
    await page.getByText('Stopped before anything was done.').waitFor();
    await end(page);
  });

  it('approves: to the card, arm, Enter; and Enter alone did nothing before', async () => {
    const page = await start({ fake: 'one', at: 'approvals/a-move' });
    await page.locator('.ask').waitFor();
    await passGuard(page);
    await page.keyboard.press('Control+Shift+A');
    await waitFocused(page.locator('[data-approval="a-move"]'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.keyboard.press('a');
    await waitFocused(page.getByRole('button', { name: 'Approve move' }));
    await page.getByText('Ready. Enter approves').waitFor();
    assert.equal(await called(page, 'approve'), 0);
    await passGuard(page);
    await page.keyboard.press('Enter');
    await page.locator('.receipt').waitFor();
    assert.equal(await called(page, 'approve'), 1);
    await end(page);
  });

  it('does not approve with a click that lands as the card appears', async () => {
    const page = await start({
      fake: 'one',
      at: 'approvals/a-move',
      // In the very task in which the button appears, so that it is within the guard on any machine.
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
    await eventually(() => page.evaluate(() => window.clickedAsItAppeared), true);
    // Scrolled into view first, so that the click does not move anything.
    await approve.scrollIntoViewIfNeeded();
    await passGuard(page);
    assert.equal(await called(page, 'approve'), 0);
    await approve.click();
    await page.locator('.receipt, .hold').first().waitFor();
    assert.equal(await called(page, 'approve'), 1);
    await end(page);
  });

  it('opens a long text only once it was read to its end, by keyboard', async () => {
    const page = await start({ at: 'approvals/a-mail', size: 'medium' });
    const approve = page.getByRole('button', { name: 'Approve send' });
    await approve.waitFor();
    await eventually(() => approve.getAttribute('aria-disabled'), 'true');
    await passGuard(page);
    await page.keyboard.press('a');
    await waitFocused(approve);
    await passGuard(page);
    await page.keyboard.press('Enter');
    await press(page.locator('.letter'), 'End');
    await eventually(() => approve.getAttribute('aria-disabled'), 'false');
    assert.equal(await called(page, 'approve'), 0);
    await page.keyboard.press('a');
    await waitFocused(approve);
    await passGuard(page);
    await page.keyboard.press('Enter');
    await page.locator('.receipt').waitFor();
    assert.equal(await called(page, 'approve'), 1);
    await end(page);
  });

  it('holds a send, and takes it back with Ctrl Z', async () => {
    const page = await start({ at: 'approvals/o-held', fake: 'held' });
    await page.getByRole('timer').waitFor();
    await page.locator('h1').focus();
    await waitFocused(page.locator('h1'));
    await page.keyboard.press('Control+z');
    await page.locator('.toast').getByText('Taken back, nothing was sent').waitFor();
    const state = () => page.evaluate(() => window.fake.world.tables.outbox.find((mail) => mail.id === 'o-held')?.state);
    await eventually(state, 'draft');
    await end(page);
  });

  it('rejects with X, and the toast brings a new card', async () => {
    const page = await start({ at: 'approvals/a-batch' });
    await page.locator('.ask').waitFor();
    await passGuard(page);
    await page.keyboard.press('x');
    await page.getByText('Rejected: Delete 23 tasks').waitFor();
    await press(page.locator('.toast').getByRole('button', { name: 'Ask again' }));
    await page.waitForURL(/approvals\/a-\d+/);
    await page.getByRole('button', { name: 'Approve: delete 23 tasks' }).waitFor();
    await end(page);
  });

  it('edits a card into a new one whose fields say where they came from', async () => {
    const page = await start({ at: 'approvals/a-mail' });
    await page.locator('.ask').waitFor();
    await page.keyboard.press('e');
    await page.getByLabel(/^Subject/).fill('About Unit 4');
    await press(page.getByRole('button', { name: 'Save as a new card' }));
    await page.waitForURL(/approvals\/a-\d+/);
    const row = page.locator('.fact', { hasText: 'Subject' });
    await eventually(() => row.textContent(), /About Unit 4.*You said/s);
    await end(page);
  });

  it('moves through the inbox with J, K and the arrows', async () => {
    const page = await start({ at: 'approvals' });
    await page.locator('.item').first().waitFor();
    const rows = page.locator('[data-row] .item');
    const current = async () => {
      const marked = await rows.evaluateAll((all) => all.map((one) => one.getAttribute('aria-current') === 'true'));
      return marked.flatMap((yes, place) => (yes ? [place] : []));
    };
    await eventually(current, [0]);
    for (const [key, place] of [
      ['j', 1],
      ['ArrowDown', 2],
      ['k', 1],
      ['ArrowUp', 0],
    ]) {
      await page.keyboard.press(key);
      await eventually(current, [place]);
      await waitFocused(rows.nth(place));
    }
    await end(page);
  });

  it('goes round the regions with F6, along the rail with the arrows', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.plan .step').first().waitFor();
    await eventually(() => inRegion(page), 'compose');
    for (const region of ['plan', 'rail', 'content', 'compose']) {
      await page.keyboard.press('F6');
      await eventually(() => inRegion(page), region);
    }
    await page.keyboard.press('Shift+F6');
    await eventually(() => inRegion(page), 'content');
    await page.keyboard.press('Shift+F6');
    await eventually(() => focused(page), /Chat/);
    await page.keyboard.press('ArrowDown');
    await eventually(() => focused(page), /Today/);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.hash.startsWith('#/chat'));
    await end(page);
  });

  it('finds and goes with the palette, and gives the focus back', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').waitFor();
    await waitFocused(page.getByLabel('Message Adjutant'));
    await openPalette(page);
    await page.keyboard.press('Escape');
    await waitFocused(page.getByLabel('Message Adjutant'));
    await openPalette(page);
    await page.keyboard.type('mara raj');
    await page.locator('[role="option"][aria-selected="true"]', { hasText: 'Mara / Raj' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/approvals\/a-move/);
    await page.locator('.ask').waitFor();
    assert.equal(await called(page, 'approve'), 0);
    await end(page);
  });

  it('answers a sum in the palette at once, and copies it with Enter', async () => {
    const page = await start({ at: 'tasks' });
    await page.locator('.task').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('3*17');
    await page.getByRole('option', { name: '3*17 = 51', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.toast').getByText('Copied').waitFor();
    assert.deepEqual(await page.evaluate(() => window.fake.copied), ['51']);
    await end(page);
  });

  it('loses no key that is typed before the palette is there', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').waitFor();
    await page.getByLabel('Message Adjutant').focus();
    await waitFocused(page.getByLabel('Message Adjutant'));
    // The code that draws it arrives late.
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
    await eventually(() => page.getByRole('combobox').inputValue(), 'activity');
    assert.equal(await page.locator('textarea').inputValue(), '');
    await page
      .getByRole('option', { name: /Activity/ })
      .first()
      .waitFor();
    await end(page);
  });

  it('asks from the palette, in a conversation of its own', async () => {
    const page = await start({ at: 'tasks' });
    await page.locator('.task').first().waitFor();
    await openPalette(page);
    await page.keyboard.type('Remind me to call the bank');
    await eventually(() => page.getByRole('dialog').getByRole('combobox').inputValue(), 'Remind me to call the bank');
    await page.keyboard.press('Control+Enter');
    await page.locator('.reply').getByText('Reminder “Call the bank”, Wed 14 Jan, 09:00').waitFor();
    await page.waitForURL(/#\/chat\/c-/);
    assert.equal(await called(page, 'ask'), 1);
    await end(page);
  });

  it('takes an item out of a batch: a new card with what remains', async () => {
    const page = await start({ at: 'approvals/a-batch' });
    await press(page.getByRole('checkbox', { name: /Renew domain/ }), 'Space');
    await page.keyboard.press('a');
    await waitFocused(page.getByRole('button', { name: /^New card without 1 item/ }));
    await page.keyboard.press('Enter');
    await page.waitForURL(/approvals\/a-\d+/);
    await page.getByRole('button', { name: 'Approve: delete 22 tasks' }).waitFor();
    const [{ args }] = await calls(page, 'edit');
    assert.deepEqual([args.id, args.args.ids.length, args.args.ids.includes('old-3')], ['a-batch', 22, false]);
    assert.equal(await called(page, 'approve'), 0);
    await end(page);
  });

  it('answers a question with a choice', async () => {
    const page = await start({ fake: 'empty' });
    await write(page, 'which one is it');
    await page.keyboard.press('Enter');
    await press(page.getByRole('button', { name: /Ana Ruiz/ }));
    await page.waitForFunction(() => window.fake.calls.some((call) => call.op === 'answer'));
    await end(page);
  });

  it('gives the words back when they could not be stored', async () => {
    const page = await start({ fake: 'failing', at: 'chat/main' });
    await page.locator('.note.stop').waitFor();
    await write(page, 'do not lose this');
    await page.keyboard.press('Enter');
    await page.getByText('The disk is full').first().waitFor();
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'do not lose this');
    await end(page);
  });

  it('lists the keys with ?, not while writing', async () => {
    const page = await start({ at: 'approvals' });
    await page.locator('.item').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // In a text field, it is an ordinary letter.
    await page.keyboard.press('Control+1');
    await write(page, '?');
    await eventually(() => page.locator('textarea').inputValue(), '?');
    await settle(page);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await end(page);
  });

  it('shows the focus everywhere it goes, never under the composer', async () => {
    const page = await start({ at: 'chat/main', size: 'medium' });
    await page.locator('.ask').waitFor();
    await waitFocused(page.getByLabel('Message Adjutant'));
    for (let n = 0; n < 60; n++) {
      await page.keyboard.press('Tab');
      const bad = () =>
        page.evaluate(() => {
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
      await eventually(bad, null);
    }
    await end(page);
  });
});

describe('what could not be read', () => {
  it('is read again from the rail, and the focus is at the head of the place then', async () => {
    const page = await start({ at: 'tasks', fake: 'failing' });
    const again = page.locator('.rail').getByRole('button', { name: /Try again/ });
    await again.focus();
    await page.keyboard.press('Enter');
    // It still fails, and the retry button can be pressed again.
    await eventually(() => again.getAttribute('aria-disabled'), 'false');
    await waitFocused(again);
    await page.evaluate(() => (window.fake.world.options.scenario = 'populated'));
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await waitFocused(page.getByRole('heading', { level: 1 }));
    await end(page);
  });
});

describe('mail on its way out', () => {
  it('is a place one can see and press at the foot of the rail, also where that is narrow', async () => {
    const page = await start({ at: 'tasks', fake: 'held', size: 'medium' });
    const link = page.getByRole('link', { name: '1 mail goes out soon' });
    await link.waitFor();
    const box = await link.boundingBox();
    assert.ok(box.width >= 24 && box.height >= 24, JSON.stringify(box));
    await link.press('Enter');
    await eventually(() => place(page), '#/approvals/o-held');
    await end(page);
  });
});

describe('reading on', () => {
  it('does not move who has scrolled away, and says that there is something new', async () => {
    const page = await start({ at: 'chat/main', size: 'narrow' });
    await page.locator('.ask').waitFor();
    const log = page.getByRole('log');
    // Once everything is drawn, and the window has noticed that the person scrolled away.
    await eventually(() => log.evaluate((node) => ((node.scrollTop = -300), node.scrollTop)), -300);
    await settle(page);
    const top = () =>
      page
        .locator('.said')
        .first()
        .evaluate((node) => node.getBoundingClientRect().top);
    const before = await top();
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
    await settle(page);
    const after = await top();
    assert.ok(Math.abs(after - before) < 2, `moved by ${after - before}`);
    await press(page.getByRole('button', { name: 'New below' }));
    await eventually(async () => Math.abs(await log.evaluate((node) => node.scrollTop)) < 2, true);
    await end(page);
  });

  it('asks before an address opens, and shows where it leads', async () => {
    const page = await start({ at: 'chat/c-lease' });
    await press(page.getByRole('link', { name: 'kelm-estates.example' }));
    const dialog = page.getByRole('dialog');
    await eventually(() => dialog.textContent(), /kelm-estates\.example/);
    assert.deepEqual(await page.evaluate(() => window.fake.opened), []);
    await press(dialog.getByRole('button', { name: 'Open in browser' }));
    await page.waitForFunction(() => window.fake.opened.length === 1);
    await end(page);
  });

  it('paints the frame before any script has run', async () => {
    const { page, url } = await blank();
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(url).catch(() => {});
    await page.locator('.rail .logo svg').waitFor();
    await page.close();
  });
});
