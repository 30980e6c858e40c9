// The week by the clock, with the keyboard alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { harness } from './lib.mjs';

const { start, end, place } = harness({ before, after });
const at = (page) => page.evaluate(() => document.activeElement?.querySelector('.n')?.textContent ?? '');

describe('the week', () => {
  it('opens with W, is one stop of Tab, and arrows walk over days and times', async () => {
    const page = await start({ at: 'today' });
    await page.locator('.slot').first().waitFor();
    await page.keyboard.press('w');
    await page.locator('.wk .blk').first().waitFor();
    assert.match(await place(page), /today\/week-2026-01-13$/);
    assert.equal(await page.locator('.wk [data-stop][tabindex="0"]').count(), 1);
    await page.locator('.wk [tabindex="0"]').focus();
    assert.equal(await at(page), 'Stand-up');
    await page.keyboard.press('ArrowDown');
    assert.equal(await at(page), 'Pricing review');
    await page.keyboard.press('ArrowRight');
    assert.equal(await at(page), 'Mara / Raj');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await at(page), 'Pricing review');
    await page.keyboard.press('End');
    assert.equal(await at(page), 'Board pre-read');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Room 4B').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await at(page), 'Board pre-read');
    await page.keyboard.press('w');
    await page.locator('.agenda').first().waitFor();
    await end(page);
  });

  it('shows where a waiting approval would put an event, and leads to its card', async () => {
    const page = await start({ at: 'today/week-2026-01-13' });
    const ghost = page.locator('.wk .blk.ghost');
    await ghost.waitFor();
    assert.match(await ghost.textContent(), /Mara \/ Raj.*11:00.*Moves here from Wed 14 Jan, if you approve/s);
    assert.equal(await page.locator('.wk .blk.leaving').count(), 1);
    await ghost.press('Enter');
    await page.waitForFunction(() => location.hash === '#/approvals/a-move');
    await end(page);
  });

  it('has no ghost once nothing waits', async () => {
    const page = await start({ at: 'today/week-2026-01-13' });
    await page.locator('.wk .blk.ghost').waitFor();
    await page.evaluate(() => window.fake.world.reject('a-move'));
    await page.locator('.wk .blk.ghost').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.wk .blk.leaving').count(), 0);
    await end(page);
  });

  it('goes on with the arrow keys past its end, and the focus goes along', async () => {
    const page = await start({ at: 'today/week-2026-01-13', fake: 'crowded' });
    const last = page.locator('.wk .col').last().locator('[data-stop]').first();
    await last.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-day') === '2026-01-19');
    assert.match(await place(page), /week-2026-01-20$/);
    await end(page);
  });

  it('draws few things of ten thousand, and counts the rest', async () => {
    const page = await start({ at: 'today/week-2026-01-13', fake: 'crowded' });
    await page.locator('.fold').first().waitFor();
    const drawn = await page.locator('.wk [data-stop]').count();
    assert.ok(drawn < 1000, `${drawn} drawn`);
    assert.match(await page.locator('.fold').first().getAttribute('aria-label'), /\d+ more, Monday, 12 January/);
    await end(page);
  });
});
