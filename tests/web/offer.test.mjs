// A model that already runs on this computer is offered once, where a conversation begins, and nothing moves.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { eventually, harness, press, settle, waitFocused } from './lib.mjs';

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
    // The button can be pressed again.
    await waitFocused(page.getByRole('button', { name: 'Connect', exact: true }));
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
    // Only the menu of the message field asks for the models that may answer; a search would send another such request
    // first.
    await eventually(() => called(page, 'models'), 1);
    assert.equal(await called(page, 'find_models'), 0);
    await page.evaluate(() => localStorage.clear());
    await end(page);
  });
});

describe('a model found on this computer at the very first start', () => {
  const FOUND = 'Ollama runs here with llama3.2:3b; what you ask it stays here';
  /** The window is idle when the test says so. */
  const idleLater = () => {
    window.requestIdleCallback = (run) => {
      window.idle = run;
      return 1;
    };
  };
  const none = () => {
    // Nothing answers on the usual ports.
    const wait = setInterval(() => {
      if (!window.fake) return;
      clearInterval(wait);
      window.fake.world.models.find = () => [];
    }, 0);
  };

  for (const [size, theme] of [
    ['wide', 'light'],
    ['medium', 'dark'],
    ['narrow', 'dark'],
  ]) {
    it(`is offered in a line that stands from the beginning, and moves nothing: ${size}, ${theme}`, async () => {
      const page = await start({ at: 'chat', fake: 'first-run', size, theme, before: idleLater });
      await page.getByText('Looking on this computer').waitFor();
      await settle(page);
      const places = () => page.locator('.onb input, .onb li').evaluateAll((all) => all.map((one) => one.offsetTop));
      const before = await places();
      await page.evaluate(() => window.idle());
      await page.getByText(FOUND).waitFor();
      await settle(page);
      assert.deepEqual(await places(), before);
      assert.equal(await called(page, 'connect_model'), 0);
      assert.deepEqual(await violations(page), []);
      await end(page);
    });
  }

  it('is connected with one press; then its line says who answers and has the focus', async () => {
    const page = await start({ at: 'chat', fake: 'first-run' });
    await press(page.getByRole('button', { name: 'Connect', exact: true }));
    const said = page.locator('.onb').getByText('llama3.2:3b answers open questions now');
    await said.waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.textContent), /llama3\.2:3b answers/);
    const [{ args }] = await calls(page, 'connect_model');
    assert.equal(args.connection.models.standard.id, 'llama3.2:3b');
    assert.deepEqual(await violations(page), []);
    await end(page);
  });

  it('where there is none, says that none is needed and leads to where one is connected', async () => {
    const page = await start({ at: 'chat', fake: 'first-run', before: none });
    await page.getByText('None runs here, and none is needed').waitFor();
    await press(
      page.locator('li', { hasText: 'A language model, if you like' }).getByRole('link', { name: 'Open: Models' }),
    );
    await page.getByText('No model is connected.').waitFor();
    await end(page);
  });
});
