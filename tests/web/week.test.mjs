// The week by the clock, with the keyboard alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, settle, waitFocused } from './lib.mjs';

const { start, end, place } = harness({ before, after });
const at = (page) => page.evaluate(() => document.activeElement?.querySelector('.n')?.textContent ?? '');

describe('the week', () => {
  it('opens with W, is one stop of Tab, and arrows walk over days and times', async () => {
    const page = await start({ at: 'today' });
    await page.locator('.slot').first().waitFor();
    await page.keyboard.press('w');
    await page.locator('.wk .blk').first().waitFor();
    await eventually(() => place(page), /today\/week-2026-01-13$/);
    // Today's: before the events of this day were here, it was another one.
    const stop = page.locator('.wk [data-stop][tabindex="0"]');
    await eventually(() => stop.locator('.n').allTextContents(), ['Stand-up']);
    await stop.focus();
    for (const [key, name] of [
      [null, 'Stand-up'],
      ['ArrowDown', 'Pricing review'],
      ['ArrowRight', 'Mara / Raj'],
      ['ArrowLeft', 'Pricing review'],
      ['End', 'Board pre-read'],
    ]) {
      if (key) await page.keyboard.press(key);
      await eventually(() => at(page), name);
    }
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Room 4B').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => at(page), 'Board pre-read');
    await page.keyboard.press('w');
    await page.locator('.agenda').first().waitFor();
    await end(page);
  });

  it('shows where a waiting approval would put an event, and leads to its card', async () => {
    const page = await start({ at: 'today/week-2026-01-13' });
    const ghost = page.locator('.wk .blk.ghost');
    await ghost.waitFor();
    await eventually(() => ghost.textContent(), /Mara \/ Raj.*11:00.*Moves here from Wed 14 Jan, if you approve/s);
    await eventually(() => page.locator('.wk .blk.leaving').count(), 1);
    await press(ghost);
    await page.waitForFunction(() => location.hash === '#/approvals/a-move');
    await end(page);
  });

  it('has no ghost once nothing waits', async () => {
    const page = await start({ at: 'today/week-2026-01-13' });
    await page.locator('.wk .blk.ghost').waitFor();
    await page.evaluate(() => window.fake.world.reject('a-move'));
    await page.locator('.wk .blk.ghost').waitFor({ state: 'detached' });
    await eventually(() => page.locator('.wk .blk.leaving').count(), 0);
    await end(page);
  });

  it('goes on with the arrow keys past its end, and the focus goes along', async () => {
    const page = await start({ at: 'today/week-2026-01-13', fake: 'crowded' });
    const last = page.locator('.wk .col').last().locator('[data-stop]').first();
    await last.focus();
    await waitFocused(last);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-day') === '2026-01-19');
    await eventually(() => place(page), /week-2026-01-20$/);
    await end(page);
  });

  it('draws few things of ten thousand, and counts the rest', async () => {
    const page = await start({ at: 'today/week-2026-01-13', fake: 'crowded' });
    await page.locator('.fold').first().waitFor();
    await settle(page);
    const drawn = await page.locator('.wk [data-stop]').count();
    assert.ok(drawn < 1000, `${drawn} drawn`);
    await eventually(() => page.locator('.fold').first().getAttribute('aria-label'), /\d+ more, Monday, 12 January/);
    await end(page);
  });
});
