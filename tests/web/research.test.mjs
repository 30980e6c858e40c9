// Research: started from words, confirmed, watched, stopped, and read claim by claim, by mouse and keyboard.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, say, settle, waitFocused } from './lib.mjs';

const { start, calls, end, place, toast } = harness({ before, after });

const acts = async (page) =>
  (await calls(page, 'research')).map(({ args }) => args.act).filter(({ act }) => act !== 'show');
const last = async (page) => (await acts(page)).at(-1);

describe('a research', () => {
  it('begins with words, and asks for what is missing before it starts', async () => {
    const page = await start({ at: 'research', fake: 'empty' });
    await waitFocused(page.getByLabel('What do you want to find out?'));
    await say(page.getByLabel('What do you want to find out?'), 'What do heat pumps cost to run?');
    await page.getByText('What is it for?').waitFor();
    assert.deepEqual((await last(page)).sources, 'own');
    await page.getByRole('button', { name: 'To decide something' }).click();
    await page.getByText('What would a good answer hold?').waitFor();
    await say(page.getByLabel('Or in your own words'), 'A price a year');
    await page.getByText('Start the research like this?').waitFor();
    await page.locator('dd', { hasText: 'A price a year' }).waitFor();
    await page.getByRole('button', { name: 'Yes, begin' }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    assert.deepEqual(await last(page), { act: 'answer', id: (await last(page)).id, text: 'Yes, begin' });
    await end(page);
  });

  it('says what leaves this computer before it does', async () => {
    const page = await start({ at: 'research/new' });
    await page.getByText('Nothing leaves this computer').waitFor();
    await page.getByRole('button', { name: 'Both' }).click();
    await page.getByText('Words from your own texts may then be searched for on the web').waitFor();
    await page.getByText('No search engine is chosen yet').waitFor();
    await end(page);
  });

  it('is stopped, goes on, and writes early, each by one press', async () => {
    const page = await start({ at: 'research/r-pump' });
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    assert.equal((await last(page)).act, 'stop');
    assert.equal(await page.locator('.lane .spin').count(), 0);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('.lane .spin').first().waitFor();
    await page.getByRole('button', { name: 'Write it now' }).click();
    await page.getByText('Put together from sentences of the sources').waitFor();
    assert.deepEqual(
      (await acts(page)).map(({ act }) => act),
      ['stop', 'resume', 'write_now'],
    );
    await eventually(
      () =>
        page
          .locator('[aria-live="polite"]')
          .allTextContents()
          .then((all) => all.join()),
      /The report is ready/,
    );
    await end(page);
  });

  it('says that it ended wherever the person is by now, and is one press away', async () => {
    const page = await start({ at: 'tasks' });
    await page.locator('.task').first().waitFor();
    await page.evaluate(() => {
      const { world } = window.fake;
      world.research = world.research.map((one) =>
        one.row.id === 'r-pump' ? { ...one, row: { ...one.row, state: 'paused' } } : one,
      );
      world.tell({ event: 'research_state', id: 'r-pump', state: 'paused', why: null });
    });
    await toast(page, /^The research .* cannot go on without you$/);
    await press(page.locator('.toast').getByRole('button', { name: 'Open' }));
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    assert.equal(await place(page), '#/research/r-pump');
    await end(page);
  });

  it('leads to Settings where its key was refused', async () => {
    const page = await start({ at: 'research/r-failed' });
    await press(page.getByRole('link', { name: 'Web and research in Settings' }));
    await page.getByLabel('Search engine', { exact: true }).waitFor();
    await end(page);
  });

  it('is read again when its document changes', async () => {
    const page = await start({ at: 'research/r-pump' });
    await page.getByText('4 of 50').waitFor();
    await page.evaluate(() => {
      const { world } = window.fake;
      world.research = world.research.map((one) =>
        one.row.id === 'r-pump' ? { ...one, row: { ...one.row, round: 5 } } : one,
      );
      world.tell({ event: 'research_state', id: 'r-pump', state: 'running', why: null });
    });
    await page.getByText('5 of 50').waitFor();
    await end(page);
  });
});

describe('a report', () => {
  it('leads from claim to claim by P, and from a claim to its words in the page', async () => {
    const page = await start({ at: 'research/r-done' });
    await page.locator('[data-pin]').first().waitFor();
    await page.keyboard.press('p');
    const quote = page.getByRole('figure', { name: 'Quote for claim 1' });
    await quote.getByText('Found in the stored copy').waitFor();
    await page.keyboard.press('p');
    await page.getByRole('figure', { name: 'Quote for claim 2' }).waitFor();
    await eventually(() => page.locator('.srcs li.on').count(), 1);
    await page.locator('.srcs li.on', { hasText: 'Monthly residential' }).waitFor();
    await press(
      page.getByRole('figure', { name: 'Quote for claim 2' }).getByRole('button', { name: 'Read it as it was' }),
    );
    const dialog = page.getByRole('dialog');
    await dialog.locator('mark', { hasText: 'Heating oil cost $3.71' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await end(page);
  });

  it('shows a quote under the pointer, and moves nothing', async () => {
    const page = await start({ at: 'research/r-done' });
    const claims = page.locator('.claims > li');
    await claims.first().waitFor();
    await settle(page);
    const before = await claims.nth(2).boundingBox();
    await claims.nth(1).hover();
    await page.getByRole('figure', { name: 'Quote for claim 2' }).waitFor();
    assert.deepEqual(await claims.nth(2).boundingBox(), before);
    await page.mouse.move(0, 0);
    await page.getByRole('figure').waitFor({ state: 'detached' });
    await end(page);
  });

  it('marks what the quote does not say, and shows what disagrees side by side', async () => {
    const page = await start({ at: 'research/r-done' });
    await page.getByText('Not all of it is in the quote: The quote does not say “every”').waitFor();
    const pair = page.getByRole('group', { name: 'The efficiency: 2.7 or 3.4' });
    await pair.getByText('Claim 1').waitFor();
    await pair.getByText('Claim 4').waitFor();
    await page.getByText('1 claim was left out').waitFor();
    await end(page);
  });

  it('goes deeper on a claim, as a research of its own', async () => {
    const page = await start({ at: 'research/r-done' });
    await page.locator('[data-pin]').nth(1).click();
    await page.getByRole('button', { name: 'Go deeper on 2' }).click();
    await page
      .getByRole('heading', { name: /^What is known in depth about this: Heating oil/ })
      .first()
      .waitFor();
    assert.deepEqual((await last(page)).deeper, { id: 'r-done', claim: 2 });
    assert.notEqual(await place(page), '#/research/r-done');
    await end(page);
  });

  it('is saved, repeated and compared', async () => {
    const page = await start({ at: 'research/r-done' });
    const more = page.getByRole('button', { name: 'More about this research' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Save sources as BibTeX' }).click();
    await toast(page, 'Saved as /home/mara/Documents/research-r-done.bib');
    assert.equal((await last(page)).format, 'bib');
    await more.click();
    await page
      .getByRole('menuitemcheckbox', { name: 'Repeat every week' })
      .or(page.getByRole('menuitemradio', { name: 'Repeat every week' }))
      .click();
    await eventually(async () => (await last(page)).weekly, false);
    await more.click();
    await page.getByRole('menuitem', { name: 'Compare with another' }).click();
    await page.getByRole('dialog').getByText('Said otherwise').waitFor();
    assert.deepEqual(await last(page), { act: 'compare', before: 'r-before', after: 'r-done' });
    await end(page);
  });

  it('says what changed since the week before, and which page says otherwise now', async () => {
    const page = await start({ at: 'research/r-done' });
    const since = page.getByRole('region', { name: /^What changed since/ });
    await since.getByText('$3.58 a gallon in November').waitFor();
    await since.getByText('2 claims are the same.').waitFor();
    const source = page.locator('.srcs li', { hasText: 'Monthly residential' });
    await source.getByText('Page changed since').waitFor();
    await source.getByRole('button', { name: 'Read it as it was' }).click();
    await page.getByRole('button', { name: 'Is it still there?' }).click();
    await page.getByRole('dialog').getByText('what is cited is still there').waitFor();
    assert.equal((await last(page)).act, 'check_page');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await since.getByRole('link', { name: 'The report before' }).click();
    await eventually(() => place(page), '#/research/r-before');
    await end(page);
  });

  it('shows what came into its document between two versions', async () => {
    const page = await start({ at: 'research/r-done' });
    await press(page.getByRole('button', { name: 'What changed' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('What it costs first').waitFor();
    assert.deepEqual(await dialog.getByRole('heading', { level: 3 }).count(), 3);
    await dialog.getByLabel('After').selectOption('2');
    await dialog.getByText('What it costs first').waitFor({ state: 'detached' });
    await dialog.getByText('Field performance of 42').waitFor();
    await dialog.getByLabel('Up to').selectOption('3');
    await dialog.getByText('Nothing came into the document').waitFor();
    await end(page);
  });

  it('shows what will be printed, with its own look', async () => {
    const page = await start({ at: 'research/r-done' });
    await page.getByRole('button', { name: 'More about this research' }).click();
    await page.getByRole('menuitem', { name: 'Print or save as PDF' }).click();
    const paper = page.frameLocator('iframe');
    await paper.getByText('Likely yes').waitFor();
    const frame = page.frames().at(-1);
    await eventually(() => frame.evaluate(() => getComputedStyle(document.body).fontWeight), '700');
    await frame.evaluate(() => {
      window.print = () => parent.document.body.setAttribute('data-printed', '');
    });
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await page.locator('body[data-printed]').waitFor();
    await end(page);
  });

  it('shows the words of others as they are: none of them is markup', async () => {
    const page = await start({ at: 'research' });
    await page.evaluate(() => {
      const { world } = window.fake;
      const evil = '<img src=x onerror="document.title=1">[x](javascript:alert(1))\u202e';
      world.research = world.research.map((one) =>
        one.row.id === 'r-done'
          ? {
              ...one,
              report: { ...one.report, summary: evil, claims: [{ ...one.report.claims[0], text: evil, quote: evil }] },
            }
          : one,
      );
      location.hash = '#/research/r-done';
    });
    await page.locator('[data-pin]').first().click();
    await page.locator('.quote').getByText('onerror').waitFor();
    assert.equal(await page.locator('.main img, .main a[href^="javascript"]').count(), 0);
    await page.locator('.quote').getByText('U+202E').waitFor();
    await end(page);
  });
});

describe('a research that began in a conversation', () => {
  it('is one press away from its answer', async () => {
    const page = await start({ at: 'chat', fake: 'populated' });
    await page.goto(page.url().replace(/#.*/, '#/chat/new'));
    await say(page.getByLabel('Message Adjutant'), 'research heat pumps');
    await page.getByRole('link', { name: 'Open the research' }).click();
    await page.locator('.lane').first().waitFor();
    assert.equal(await place(page), '#/research/r-pump');
    await end(page);
  });
});
