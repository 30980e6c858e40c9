// Checks every screen in every state, in both themes and all three forms: no violation of WCAG 2.0–2.2 A and AA, no
// error on the page, nothing wider than the window. One page per screen: the window is resized and its theme changed,
// as a person would.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { AT_ONCE, eventually, launch, open, serve, settle, SIZES } from './lib.mjs';
import { SCREENS } from './screens.mjs';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The only rules affected by the theme. All others have just been checked in the same form. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
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

/** Returns violations, one line each: the rule and the elements. */
async function violations(page, runOnly = { type: 'tag', values: TAGS }) {
  // Evaluated by the test driver, so the page's content policy does not apply.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    const result = await window.axe.run(document, { runOnly, resultTypes: ['violations'] });
    return result.violations.flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`),
    );
  }, runOnly);
}

/** Returns whether the page is wider than the window, which is acceptable until it has been laid out for a new size. */
const wider = (page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

describe('every screen', { concurrency: AT_ONCE }, () => {
  for (const screen of SCREENS) {
    it(screen.name, async (t) => {
      const sizes = screen.sizes ?? Object.keys(SIZES);
      const page = await open(browser.context, server.url, { ...screen, size: sizes[0] });
      await screen.ready(page);
      for (const size of sizes) {
        await page.setViewportSize(SIZES[size] ?? page.viewportSize());
        for (const theme of ['light', 'dark']) {
          await t.test(`${size}, ${theme}`, async () => {
            await page.emulateMedia({ colorScheme: theme });
            await settle(page);
            const rules = theme === 'light' ? undefined : { type: 'rule', values: COLOUR_RULES };
            assert.deepEqual(await violations(page, rules), []);
            assert.deepEqual(page.problems, []);
            await eventually(() => wider(page), false);
          });
        }
      }
      await page.close();
    });
  }
});

describe('other circumstances', { concurrency: AT_ONCE }, () => {
  /** Changes of the page and how to reverse them, so that one page goes through all of them. */
  const CHANGES = [
    [
      '200 % text',
      (page) => page.evaluate(() => (document.documentElement.style.fontSize = '200%')),
      (page) => page.evaluate(() => (document.documentElement.style.fontSize = '')),
    ],
    [
      'right to left',
      (page) => page.evaluate(() => (document.documentElement.dir = 'rtl')),
      (page) => page.evaluate(() => (document.documentElement.dir = 'ltr')),
    ],
    [
      'forced colours',
      (page) => page.emulateMedia({ forcedColors: 'active' }),
      (page) => page.emulateMedia({ forcedColors: 'none' }),
    ],
    ['400 px', (page) => page.setViewportSize({ width: 400, height: 480 }), () => undefined],
  ];
  for (const at of ['chat/main', 'approvals/a-mail']) {
    it(at, async (t) => {
      const page = await open(browser.context, server.url, { at });
      await page.locator('.ask').first().waitFor();
      for (const [name, change, back] of CHANGES) {
        await t.test(name, async () => {
          await change(page);
          await settle(page);
          await eventually(() => wider(page), false);
          assert.deepEqual(await violations(page), []);
          await back(page);
        });
      }
      await page.close();
    });
  }
});
