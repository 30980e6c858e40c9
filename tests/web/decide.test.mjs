// Cards: what a key or click decides, what it must not decide, and what replaces the card afterwards.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, passGuard, settle } from './lib.mjs';

const { start, called, end } = harness({ before, after });

/** Returns the corner of the Approve button. */
const corner = (page) =>
  page.evaluate(() => {
    const { right, top } = document.querySelector('.approve').getBoundingClientRect();
    return [Math.round(right), Math.round(top)];
  });
const letGo = (page) => page.evaluate(() => document.activeElement.blur());

describe('A, then Enter', () => {
  for (const size of ['wide', 'medium', 'narrow']) {
    it(`approves at once, because being armed moves nothing: ${size}`, async () => {
      const page = await start({ at: 'chat/main', fake: 'one', size });
      await page.locator('.ask').waitFor();
      await letGo(page);
      await passGuard(page);
      const before = await corner(page);
      await page.keyboard.press('a');
      await page.getByText('Ready. Enter approves').waitFor();
      await settle(page);
      assert.deepEqual(await corner(page), before);
      await page.keyboard.press('Enter');
      await eventually(() => called(page, 'approve'), 1);
      await end(page);
    });
  }
});

describe('Approve, pressed once', () => {
  for (const motion of ['no-preference', 'reduce']) {
    it(`counts for a person who waited, however the card came up: motion ${motion}`, async () => {
      const page = await start({ at: 'chat/main', fake: 'one', motion });
      await page.locator('.ask').waitFor();
      await passGuard(page);
      await page.locator('.approve').click();
      await eventually(() => called(page, 'approve'), 1);
      await end(page);
    });
  }

  it('counts after a move that no event told of, once the person has waited', async () => {
    const page = await start({ at: 'chat/main', fake: 'one' });
    await page.locator('.ask').waitFor();
    await page.evaluate(() => (document.querySelector('.ask').style.transform = 'translateY(-40px)'));
    await passGuard(page);
    await page.locator('.approve').click();
    await eventually(() => called(page, 'approve'), 1);
    await end(page);
  });

  it('does not count when the button came under the pointer just before', async () => {
    const page = await start({ at: 'chat/main', fake: 'one' });
    await page.locator('.ask').waitFor();
    await passGuard(page);
    // The move and the press happen in one task, so nothing can notice the move in between.
    await page.evaluate(() => {
      const ask = document.querySelector('.ask');
      ask.style.transform = 'translateY(-40px)';
      ask.querySelector('.approve').click();
    });
    await page.locator('.ask').getByText('Press again').waitFor();
    assert.equal(await called(page, 'approve'), 0);
    await end(page);
  });
});

describe('X pressed twice', () => {
  it('rejects one card, and says of the next that it came too early', async () => {
    const page = await start({ at: 'approvals' });
    await page.locator('.ask').waitFor();
    await passGuard(page);
    // Again in the very task in which the next card appears, so that it is too early on any machine.
    await page.evaluate(() => {
      const first = document.querySelector('.ask').dataset.approval;
      const watch = new MutationObserver(() => {
        if ((document.querySelector('.ask')?.dataset.approval ?? first) === first) return;
        watch.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', code: 'KeyX', bubbles: true }));
      });
      watch.observe(document.body, { childList: true, subtree: true, attributes: true });
    });
    await page.keyboard.press('x');
    await page.locator('.ask').getByText('Press again').waitFor();
    assert.equal(await called(page, 'reject'), 1);
    await passGuard(page);
    await page.keyboard.press('x');
    await eventually(() => called(page, 'reject'), 2);
    await end(page);
  });
});

const about = (page) =>
  page.evaluate(() => {
    const one = document.activeElement;
    return one.dataset.card ?? one.getAttribute('aria-label') ?? one.textContent.trim();
  });

describe('after a decision', () => {
  it('the next card has the focus, when the one before had it', async () => {
    const page = await start({ at: 'approvals' });
    await page.locator('.ask').waitFor();
    const first = await page.locator('.ask').getAttribute('data-approval');
    await passGuard(page);
    await page.getByRole('button', { name: 'Reject', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.locator(`.ask:not([data-approval="${first}"])`).waitFor();
    await eventually(() => about(page), 'pending');
    await end(page);
  });

  it('in a conversation the settled line has it, where the card was', async () => {
    const page = await start({ at: 'chat/main', fake: 'one' });
    await page.locator('.ask').waitFor();
    await passGuard(page);
    await page.getByRole('button', { name: 'Reject', exact: true }).focus();
    await page.keyboard.press('Enter');
    await eventually(() => about(page), 'rejected');
    await end(page);
  });

  it('a decided card still says what it was about', async () => {
    const page = await start({ at: 'approvals/a-denied' });
    const settled = page.locator('[data-card="rejected"]');
    await settled.waitFor();
    await settled.locator('.facts').first().waitFor();
    assert.equal(await settled.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
    await end(page);
  });

  it('what went wrong with one mail is not said of another, and deleting a draft leaves the focus in place', async () => {
    const page = await start({ at: 'approvals/o-invoice' });
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('no connected account to ask').waitFor();
    await page.evaluate(() => (location.hash = '#/approvals/o-draft'));
    const remove = page.getByRole('button', { name: 'Delete draft' });
    await remove.waitFor();
    assert.equal(await page.getByText('no connected account to ask').count(), 0);
    await remove.focus();
    await page.keyboard.press('Enter');
    await eventually(() => remove.count(), 0);
    await eventually(() => page.evaluate(() => document.activeElement !== document.body), true);
    await end(page);
  });
});

describe('the plan', () => {
  it('gives the focus to what brings it back, and takes it again', async () => {
    const page = await start({ at: 'chat/main' });
    await page.locator('.ask').waitFor();
    await page.getByRole('button', { name: 'Close plan' }).focus();
    await page.keyboard.press('Enter');
    await eventually(() => about(page), 'Show plan');
    await page.keyboard.press('Enter');
    await eventually(() => about(page), 'Plan');
    await end(page);
  });
});

describe('the foot of the rail', () => {
  it('says in full what could not be loaded, and tries again', async () => {
    const page = await start({ at: 'tasks', fake: 'failing' });
    const fault = page.locator('.rail button.net');
    await fault.waitFor();
    await eventually(async () => (await fault.textContent()).includes('Try again'), true);
    await page.evaluate(() => (window.fake.world.options.scenario = 'populated'));
    await fault.click();
    await page.locator('.rail p.net').getByText('Everything working').waitFor();
    await end(page);
  });

  it('says that mail is about to leave', async () => {
    const page = await start({ at: 'tasks', fake: 'held' });
    await page.locator('.rail .net').getByText('1 mail goes out soon').waitFor();
    await end(page);
  });
});

describe('several that are alike', () => {
  it('are decided together by keyboard, once the end of their list was seen', async () => {
    const page = await start({ at: 'approvals/a-move-0', fake: 'flood' });
    await page.getByText('Decide 2 of this kind together').waitFor();
    await page.keyboard.press('b');
    const list = page.locator('[data-card="together"] [role="region"]');
    await list.waitFor();
    await passGuard(page);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.getByText('Look at the list to its end to approve').waitFor();
    assert.equal(await called(page, 'approve'), 0);
    await list.focus();
    await page.keyboard.press('End');
    await page.getByText('What you see is exactly what is done').waitFor();
    await page.keyboard.press('a');
    await page.getByText('Ready. Enter approves').waitFor();
    await passGuard(page);
    await page.keyboard.press('Enter');
    await eventually(() => called(page, 'approve'), 2);
    await page.getByText('2 approved.').first().waitFor();
    await end(page);
  });

  it('give way to the single card on Escape', async () => {
    const page = await start({ at: 'approvals/alike-a-move-0', fake: 'flood' });
    await page.locator('[data-card="together"]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-approval="a-move-0"]').waitFor();
    await end(page);
  });
});
