// A model that already runs on this computer is offered once, where a conversation begins, and moves nothing.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, settle } from './lib.mjs';

const { start, calls, called, end } = harness({ before, after });
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const OFFER = 'Ollama runs on this computer with llama3.2:3b';

const violations = async (page) => {
  await page.evaluate(axe);
  return page.evaluate(async () => (await window.axe.run(document)).violations.map((one) => one.id));
};

describe('a model found on this computer', () => {
  for (const [size, theme] of [
    ['wide', 'light'],
    ['narrow', 'dark'],
  ]) {
    it(`is offered below the examples, which stay where they are: ${size}, ${theme}`, async () => {
      const page = await start({ at: 'chat/new', size, theme });
      const chip = page.locator('.welcome .chip').first();
      await chip.waitFor();
      const before = await chip.boundingBox();
      await page.getByText(OFFER).waitFor();
      await settle(page);
      assert.deepEqual(await chip.boundingBox(), before);
      assert.equal(await called(page, 'connect_model'), 0);
      assert.deepEqual(await violations(page), []);
      await end(page);
    });
  }

  it('is connected with one press, and then it says who answers', async () => {
    const page = await start({ at: 'chat/new' });
    await press(page.getByRole('button', { name: 'Connect', exact: true }));
    await page.locator('.welcome').getByText('llama3.2:3b answers open questions now').waitFor();
    const [{ args }] = await calls(page, 'connect_model');
    assert.equal(args.connection.models.standard.id, 'llama3.2:3b');
    assert.deepEqual(await violations(page), []);
    await end(page);
  });

  it('says why when it could not be connected', async () => {
    const page = await start({ at: 'chat/new' });
    await page.getByText(OFFER).waitFor();
    await page.evaluate(() => {
      window.fake.world.models.connect = () => {
        throw new Error('The server does not answer.');
      };
    });
    await press(page.getByRole('button', { name: 'Connect', exact: true }));
    await page.getByRole('alert').getByText('The server does not answer.').waitFor();
    await end(page);
  });

  it('is not offered again after “Not now”, and not looked for either', async () => {
    const page = await start({ at: 'chat/new' });
    await press(page.getByRole('button', { name: 'Not now' }));
    await eventually(() => page.getByText(OFFER).count(), 0);
    await eventually(() => page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
    await page.reload();
    await page.locator('.welcome').waitFor();
    // It would have looked at the first idle moment.
    await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
    assert.equal(await called(page, 'find_models'), 0);
    await page.evaluate(() => localStorage.clear());
    await end(page);
  });
});
