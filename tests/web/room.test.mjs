// Nothing covers what the person needs: neither toasts nor text at twice the size.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, passGuard, settle, SIZES } from './lib.mjs';

const { start, end } = harness({ before, after });

/** Returns by how many pixels of height two boxes overlap; 0 if they are apart. */
const over = (page, one, other) =>
  page.evaluate(
    ([one, other]) => {
      const a = document.querySelector(one).getBoundingClientRect();
      const b = document.querySelector(other)?.getBoundingClientRect();
      if (!b || b.width === 0) return 0;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      return across <= 0 ? 0 : Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    },
    [one, other],
  );

describe('a toast', () => {
  for (const size of Object.keys(SIZES)) {
    it(`covers neither the rail nor the message field: ${size}`, async () => {
      const page = await start({ at: 'chat/main', fake: 'one', size });
      await page.locator('.ask').waitFor();
      await passGuard(page);
      await page.locator('.ask').focus();
      await page.keyboard.press('x');
      await page.locator('.toast').getByText('Rejected').waitFor();
      await settle(page);
      assert.equal(await over(page, '.toast', '.rail'), 0);
      assert.equal(await over(page, '.toast', '.compose'), 0);
      await end(page);
    });
  }

  it('covers no message field of a surface that is opened while it is there', async () => {
    const page = await start({ at: 'tasks' });
    const done = page.getByRole('checkbox', { name: /Renew passport/ });
    await done.click();
    const toast = page.locator('.toast');
    await toast.waitFor();
    await toast.getByRole('button').first().focus();
    await page.keyboard.press('Control+1');
    await page.locator('.compose').waitFor();
    await settle(page);
    assert.equal(await over(page, '.toast', '.compose'), 0);
    await end(page);
  });
});

describe('the message field', () => {
  const fits = (page) =>
    eventually(
      () => page.getByLabel('Message Adjutant').evaluate((one) => one.scrollHeight - one.clientHeight <= 1),
      true,
    );

  it('is as high as its words in a narrower window and at twice the text size', async () => {
    const page = await start({ at: 'chat/c-lease' });
    await page.locator('.md table').waitFor();
    await page.getByLabel('Message Adjutant').fill('word '.repeat(40));
    await page.setViewportSize(SIZES.narrow);
    await fits(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await fits(page);
    await end(page);
  });
});

describe('the skip link', () => {
  it('stays out of sight until it has the focus, at twice the text size too', async () => {
    const page = await start({ at: 'tasks' });
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await settle(page);
    const bottom = () => page.locator('.skip').evaluate((one) => one.getBoundingClientRect().bottom);
    assert.ok((await bottom()) <= 0);
    await page.locator('.skip').focus();
    await eventually(async () => (await bottom()) > 0, true);
    await end(page);
  });
});

describe('the window', () => {
  it('never scrolls as a whole, not even by a pixel', async () => {
    const page = await start({ at: 'chat/main', size: 'narrow' });
    await page.locator('.ask').waitFor();
    const moved = await page.evaluate(() => {
      const parts = [document.querySelector('.win'), document.documentElement, document.body];
      return parts.map((part) => {
        part.scrollTop = 1;
        part.scrollLeft = 1;
        return part.scrollTop + part.scrollLeft;
      });
    });
    assert.deepEqual(moved, [0, 0, 0]);
    await end(page);
  });

  it('does not offer to send an empty line at the first start', async () => {
    const page = await start({ at: 'chat', fake: 'first-run' });
    const field = page.locator('#first');
    await field.fill('  ');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await eventually(() => send.getAttribute('aria-disabled'), 'true');
    await field.press('Enter');
    await settle(page);
    assert.equal(await page.evaluate(() => window.fake.calls.filter((one) => one.op === 'ask').length), 0);
    await end(page);
  });
});
