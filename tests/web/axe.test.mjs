// Every screen, in every state, in both themes and all three forms: no violation of WCAG 2.0–2.2 A and AA, no error on the
// page, nothing wider than the window.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { launch, open, serve, settle, SIZES } from './lib.mjs';
import { SCREENS } from './screens.mjs';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser.close();
  await server.close();
});

/** Violations in one line each: rule, and where. */
async function violations(page) {
  // Evaluated by the test driver, outside the page's content policy.
  await page.evaluate(axe);
  return page.evaluate(async (tags) => {
    const result = await window.axe.run(document, {
      runOnly: { type: 'tag', values: tags },
    });
    return result.violations.flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`),
    );
  }, TAGS);
}

async function wider(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

for (const screen of SCREENS) {
  describe(screen.name, () => {
    for (const size of screen.sizes ?? Object.keys(SIZES)) {
      for (const theme of ['light', 'dark']) {
        it(`${size}, ${theme}`, async () => {
          const page = await open(browser.context, server.url, {
            ...screen,
            theme,
            size,
          });
          await screen.ready(page);
          await settle(page);
          assert.deepEqual(await violations(page), []);
          assert.deepEqual(page.problems, []);
          assert.ok((await wider(page)) <= 0, 'wider than the window');
          await page.close();
        });
      }
    }
  });
}

describe('other circumstances', () => {
  for (const [name, change] of [
    ['200 % text', (page) => page.evaluate(() => (document.documentElement.style.fontSize = '200%'))],
    ['right to left', (page) => page.evaluate(() => (document.documentElement.dir = 'rtl'))],
    ['forced colours', (page) => page.emulateMedia({ forcedColors: 'active' })],
    ['400 px', (page) => page.setViewportSize({ width: 400, height: 480 })],
  ]) {
    for (const at of ['chat/main', 'approvals/a-mail']) {
      it(`${name}: ${at}`, async () => {
        const page = await open(browser.context, server.url, { at });
        await page.locator('.ask').first().waitFor();
        await change(page);
        await settle(page);
        assert.ok((await wider(page)) <= 0, 'wider than the window');
        assert.deepEqual(await violations(page), []);
        await page.close();
      });
    }
  }
});
