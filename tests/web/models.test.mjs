// Models and their answers as they arrive, with the keyboard alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectPriced, eventually, harness, press, say, settle, waitFocused } from './lib.mjs';

const { start, calls, called, end } = harness({ before, after });

async function ask(page, words) {
  const message = page.getByLabel('Message Adjutant');
  await say(message, words);
}

describe('an answer of a model', () => {
  it('arrives without a raw mark ever on screen, and what stands stays the same element', async () => {
    const page = await start({
      fake: 'empty',
      // Slow enough for every machine to draw between two words.
      pace: 5,
      // Word by word; windows with reduced motion wait for whole sentences.
      motion: 'no-preference',
      before: () => {
        window.seen = [];
        new MutationObserver(() => {
          const reply = document.querySelector('.reply .md');
          if (!reply) return;
          window.seen.push(reply.textContent);
          const table = reply.querySelector('table');
          // Once further words follow the table, it must not be drawn again.
          if (table && reply.textContent.includes('Renewing')) {
            window.table ??= table;
            window.again ||= window.table !== table;
          }
        }).observe(document, { childList: true, subtree: true, characterData: true });
      },
    });
    await ask(page, 'Explain the lease');
    await page.locator('.reply').getByText('six weeks').waitFor();
    await page.getByText('1,240 tokens in, 86 out').waitFor();
    // The answer is final.
    await eventually(() => page.evaluate(() => window.seen.at(-1)), /Renewing takes six weeks\.\s*$/);
    const seen = await page.evaluate(() => window.seen);
    assert.ok(seen.length > 5, `${seen.length} states`);
    assert.deepEqual(
      seen.filter((text) => /\*\*|\|\s*---|`/.test(text)),
      [],
    );
    // The first model had sent this much before it failed.
    assert.ok(seen.some((text) => text.includes('ends on the')));
    await eventually(async () => (await page.locator('.reply .md').textContent()).includes('ends on the'), false);
    assert.equal(await page.evaluate(() => window.again ?? false), false);
    await end(page);
  });

  it('keeps its thoughts folded, and tells what it was given, what it cost and who answered instead', async () => {
    const page = await start({ fake: 'empty' });
    await ask(page, 'Explain the lease');
    await page.getByText('gpt-large did not answer: It stopped in the middle. llama3.2:3b answered instead.').waitFor();
    await page.getByText('$0.0021').waitFor();
    const thoughts = page.getByText('The person asks about the lease.');
    await eventually(() => thoughts.isVisible(), false);
    await press(page.locator('.think summary'));
    await thoughts.waitFor();
    await press(page.getByRole('button', { name: 'Context: 1,240 tokens, some left out' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 left out: no room').waitFor();
    await dialog.getByText('480 of 500 tokens').waitFor();
    await dialog.getByText('No folder is allowed yet.').waitFor();
    await dialog.getByText('gpt-large').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await end(page);
  });

  it('is traced call by call: what was sent, by which prompt, what came, what it cost and took', async () => {
    const page = await start({ fake: 'empty' });
    await ask(page, 'Explain the lease');
    await press(page.getByRole('button', { name: /^Context: / }));
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('4,800 characters sent · 1,240 tokens in, 86 out · $0.0021 · estimated · first words after 310 ms')
      .waitFor();
    await dialog.getByText('Prompt respond@5f0c2a91').first().waitFor();
    await end(page);
  });

  it('of the embedded engine says nothing of tokens and money', async () => {
    const page = await start({ fake: 'empty' });
    await ask(page, 'What is on today?');
    await page.getByText('46 ms').waitFor();
    await settle(page);
    assert.equal(await page.getByText('tokens in').count(), 0);
    assert.equal((await calls(page, 'show')).filter((call) => call.args.what === 'usage').length, 0);
    await end(page);
  });
});

describe('models', () => {
  it('stand where they stood after an approval card was drawn elsewhere', async () => {
    const page = await start({ at: 'settings/models' });
    await connectPriced(page, ['Lab'], 40);
    const place = async (name) => {
      const button = page.getByRole('button', { name, exact: true });
      await button.waitFor();
      return button.boundingBox();
    };
    const go = (to) => page.evaluate((to) => (location.hash = `#/${to}`), to);
    const before = await place('Test: Lab');
    await press(page.getByRole('button', { name: 'Connect a model' }));
    const listed = await place('What models are there?');
    await go('approvals');
    await page.locator('.ask').first().waitFor();
    await go('settings/models');
    assert.deepEqual(await place('Test: Lab'), before);
    await press(page.getByRole('button', { name: 'Connect a model' }));
    assert.deepEqual(await place('What models are there?'), listed);
    await end(page);
  });

  it('are found on this computer, connected, tested, put first and removed', async () => {
    const page = await start({ at: 'settings/models' });
    await page.getByText('No model is connected. The embedded engine answers.').waitFor();
    await press(page.getByRole('button', { name: 'Find on this computer' }));
    await press(page.getByRole('button', { name: 'Connect: Ollama' }));
    await eventually(() => page.getByLabel('Model', { exact: true }).inputValue(), 'llama3.2:3b');
    await press(page.getByRole('button', { name: 'Connect', exact: true }));
    await page.getByText('Asked first: Ollama/llama3.2:3b.').waitFor();
    await press(page.getByRole('button', { name: 'Test: Ollama' }));
    await page.locator('.defs').getByText('41 tokens a second').waitFor();
    await press(page.getByRole('button', { name: 'Connect a model' }));
    await page.getByLabel('Name', { exact: true }).fill('Second');
    await say(page.getByLabel('Model', { exact: true }), 'qwen2.5:7b');
    await press(page.getByRole('button', { name: 'Ask first: Second' }));
    await page.getByText('Asked first: Second/qwen2.5:7b.').waitFor();
    await page.getByLabel('Only compare').selectOption('Ollama');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Compare' }));
    await eventually(async () => (await calls(page, 'config_set')).at(-1)?.args, {
      key: 'models.shadow',
      value: 'Ollama',
    });
    await press(page.getByRole('button', { name: 'Remove: Second' }));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }));
    await page.getByText('Asked first: Ollama/llama3.2:3b.').waitFor();
    await end(page);
  });

  it('are given names, sizes and prices by tier, headers and a proxy; what is wrong is said beside it', async () => {
    const page = await start({ at: 'settings/models' });
    const alert = (label) => page.getByLabel(label, { exact: true }).first();
    await press(page.getByRole('button', { name: 'Connect a model' }));
    await page.getByLabel('Provider').selectOption('compatible');
    // Nothing was entered yet, so the focus goes to the first required field.
    await press(page.getByRole('button', { name: 'Connect', exact: true }));
    await page.getByText('Write it like http://127.0.0.1:11434/v1.').waitFor();
    await waitFocused(alert('Address'));
    await page.keyboard.type('https://lab.example/v1');
    await alert('Model').fill('big');
    await press(page.getByText('More: other tiers'));
    const fast = page.getByRole('group', { name: 'Fast Sorting' });
    await fast.getByLabel('Another model').fill('small');
    await fast.getByLabel('Price in').fill('free');
    await press(page.getByRole('button', { name: 'Add a header' }));
    // The new line has the focus.
    await waitFocused(alert('Header'));
    await page.keyboard.type('X-Org');
    await page.keyboard.press('Tab');
    await waitFocused(alert('Value'));
    await page.keyboard.type('secret-value');
    // When closed, it opens again at what is wrong.
    await press(page.getByText('More: other tiers'));
    await press(page.getByRole('button', { name: 'Connect', exact: true }));
    await page.getByText('An amount such as 2.50.').waitFor();
    await waitFocused(fast.getByLabel('Price in'));
    assert.equal(await called(page, 'connect_model'), 0);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('0.15');
    await say(alert('Its own proxy'), 'none');
    const test = page.getByRole('button', { name: 'Test: OpenAI-compatible' });
    // Continue with the second step.
    await waitFocused(test);
    const { connection } = (await calls(page, 'connect_model')).at(-1).args;
    assert.equal(connection.models.fast.input_micros_per_million, 150_000);
    assert.equal(connection.models.standard.id, 'big');
    assert.deepEqual(connection.headers, { 'X-Org': 'secret-value' });
    assert.equal(connection.proxy, 'none');
    assert.equal((await page.content()).includes('secret-value'), false);
    await press(test);
    // Both models are tested.
    await page.locator('.defs').getByText('41 tokens a second').nth(1).waitFor();
    await eventually(async () => (await calls(page, 'test_model')).map(({ args }) => args.tier), ['fast', 'standard']);
    await page.getByText('$0.15 in, unknown out per million tokens').waitFor();
    await press(page.getByRole('button', { name: 'Change: OpenAI-compatible' }));
    await press(page.getByText('More: other tiers'));
    await eventually(() => alert('Header').inputValue(), 'X-Org');
    await eventually(() => alert('Its own proxy').inputValue(), 'none');
    await say(fast.getByLabel('Price out'), '0,60');
    await page.getByText('$0.15 in, $0.60 out per million tokens').waitFor();
    // An empty field keeps what is stored.
    assert.deepEqual((await calls(page, 'connect_model')).at(-1).args.connection.headers, { 'X-Org': '' });
    await end(page);
  });

  it('are connected with the keys alone: where, then which, from a list that fills by itself', async () => {
    const page = await start({ at: 'settings/models' });
    await press(page.getByRole('button', { name: 'Connect a model' }));
    const provider = page.getByLabel('Provider');
    await waitFocused(provider);
    // A server on this computer is at its usual address and needs no key.
    await eventually(() => page.getByLabel('Address').inputValue(), 'http://127.0.0.1:11434/v1');
    await eventually(() => page.getByLabel('Key', { exact: true }).isVisible(), false);
    await provider.selectOption('compatible');
    await eventually(() => page.getByLabel('Address').inputValue(), '');
    await page.keyboard.press('Tab');
    await waitFocused(page.getByLabel('Address'));
    await page.keyboard.type('http://lab.example/v1');
    await page.keyboard.press('Tab');
    await waitFocused(page.getByLabel('Key', { exact: true }));
    const model = page.getByRole('combobox', { name: 'Model', exact: true });
    // The field was filled in without a request and without moving the focus. Nothing is filled in if the person is
    // already in the field, about to write.
    await eventually(() => model.inputValue(), 'llama3.2:3b');
    await waitFocused(page.getByLabel('Key', { exact: true }));
    await page.keyboard.press('Tab');
    await waitFocused(model);
    await page.keyboard.press('ArrowDown');
    const option = (name) => page.getByRole('option', { name });
    await eventually(() => option('llama3.2:3b').getAttribute('aria-selected'), 'true');
    await page.keyboard.press('ArrowDown');
    await eventually(() => option('qwen2.5:7b').getAttribute('aria-selected'), 'true');
    // It is a model for vectors, which cannot chat.
    assert.equal(await option('nomic').count(), 0);
    await page.keyboard.press('Escape');
    await option('qwen2.5:7b').waitFor({ state: 'detached' });
    // The form is still there, with its content.
    assert.equal(await model.inputValue(), 'llama3.2:3b');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('qwen');
    await eventually(
      () => page.getByRole('listbox', { name: 'Choices' }).getByRole('option').allTextContents(),
      ['qwen2.5:7b'],
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(() => model.inputValue(), 'qwen2.5:7b');
    assert.equal(await called(page, 'connect_model'), 0);
    await page.keyboard.press('Enter');
    const test = page.getByRole('button', { name: 'Test: OpenAI-compatible' });
    await waitFocused(test);
    await page.keyboard.press('Enter');
    await page.locator('.defs').getByText('41 tokens a second').waitFor();
    await page.getByText('price unknown').waitFor();
    await end(page);
  });

  it('say at the address why their list could not be had, and are listed once it is another one', async () => {
    const page = await start({ at: 'settings/models' });
    await press(page.getByRole('button', { name: 'Connect a model' }));
    await page.getByLabel('Provider').selectOption('compatible');
    const address = page.getByLabel('Address');
    await address.fill('http://127.0.0.1:9/v1');
    await page.keyboard.press('Tab');
    await page.locator('form').getByText('Nothing answers there.').waitFor();
    // Nothing has requested it yet.
    await waitFocused(page.getByLabel('Key', { exact: true }));
    assert.equal(await address.getAttribute('aria-invalid'), null);
    await press(page.getByRole('button', { name: 'What models are there?' }));
    await waitFocused(address);
    const told = (field) => document.getElementById(field.getAttribute('aria-describedby'))?.textContent;
    assert.match(await address.evaluate(told), /Nothing answers there\. Look at the address\./);
    assert.equal(await address.getAttribute('aria-invalid'), 'true');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('http://127.0.0.1:8/v1');
    await eventually(() => page.locator('form').getByText('Nothing answers there.').count(), 0);
    await page.keyboard.press('Tab');
    await page.getByText('2 models').first().waitFor();
    await end(page);
  });

  it('lead to what the engine refuses, under More as well', async () => {
    const page = await start({ at: 'settings/models' });
    await press(page.getByRole('button', { name: 'Connect a model' }));
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('quick');
    await say(page.getByLabel('Model', { exact: true }), 'qwen2.5:7b');
    await page.getByText('“quick” is the connection from').waitFor();
    await waitFocused(name);
    await name.fill('Lab');
    await press(page.getByText('More: other tiers'));
    await press(page.getByRole('button', { name: 'Add a header' }));
    await page.keyboard.type('Host');
    await page.keyboard.press('Tab');
    await page.keyboard.type('lab.example');
    await press(page.getByText('More: other tiers'));
    await press(page.getByRole('button', { name: 'Connect', exact: true }));
    await waitFocused(page.getByRole('group', { name: 'Headers Some gateways' }));
    await page.getByText('“Host” is not a header that you can set.').waitFor();
    await end(page);
  });

  it('in the world can be said to cost nothing; without a price that is said', async () => {
    const page = await start({ at: 'settings/models' });
    await press(page.getByRole('button', { name: 'Connect a model' }));
    await page.getByLabel('Provider').selectOption('compatible');
    await page.getByLabel('Address').fill('https://lab.example/v1');
    await page.getByLabel('Model', { exact: true }).fill('big');
    await press(page.getByText('More: other tiers'));
    const standard = page.getByRole('group', { name: 'Standard Planning' });
    await standard.getByLabel('Price in').fill('3');
    await standard.getByLabel('Costs nothing').press('Space');
    await eventually(() => standard.getByLabel('Price in').isDisabled(), true);
    await press(page.getByRole('button', { name: 'Connect', exact: true }));
    await page.locator('.connections').getByText('costs nothing').waitFor();
    const { connection } = (await calls(page, 'connect_model')).at(-1).args;
    assert.equal(connection.models.standard.free, true);
    assert.equal(connection.models.standard.input_micros_per_million, 0);
    await press(page.getByRole('button', { name: 'Change: OpenAI-compatible' }));
    await press(page.getByText('More: other tiers'));
    await eventually(() => standard.getByLabel('Costs nothing').isChecked(), true);
    await standard.getByLabel('Costs nothing').press('Space');
    await press(page.getByRole('button', { name: 'Save' }));
    await page.getByText('price unknown').waitFor();
    await end(page);
  });

  it('tell what they cost by day, feature and model, against the limits', async () => {
    const page = await start({ at: 'settings/models' });
    await page.getByText('$0.40 of $2.00').waitFor();
    await page.getByText('$0.05 of $0.25').waitFor();
    const table = page.getByRole('table', { name: 'Spending' });
    await eventually(
      () => table.getByRole('row').nth(1).locator('th, td').allTextContents(),
      ['Today', '191 failed', '55,100', '8,946', '$0.38'],
    );
    await press(page.getByRole('button', { name: 'By feature' }));
    await table.getByRole('rowheader', { name: 'Answering' }).waitFor();
    await press(page.getByRole('button', { name: 'By model' }));
    await table.getByRole('rowheader', { name: 'Ollama/llama3.2:3b' }).waitFor();
    await page.evaluate(() => {
      const { world } = window.fake;
      world.settings = world.settings.map((one) => (one.key === 'models.spend.day' ? { ...one, value: '0.45' } : one));
      world.changed('settings');
    });
    await page.getByText('88 % is used. At the limit, answers come from this computer.').waitFor();
    await end(page);
  });

  it('keep a key out of sight, and say what a refusal needs', async () => {
    const page = await start({ at: 'settings/models' });
    await press(page.getByRole('button', { name: 'Connect a model' }));
    await page.getByLabel('Provider').selectOption('anthropic');
    // Its address is known, so the form does not ask for it.
    assert.equal(await page.getByLabel('Address').isVisible(), false);
    const key = page.getByLabel('Key', { exact: true });
    await say(page.getByLabel('Model', { exact: true }), 'claude');
    await page.getByText('This provider asks for a key.').waitFor();
    await waitFocused(key);
    assert.equal(await called(page, 'connect_model'), 0);
    assert.equal(await key.getAttribute('type'), 'password');
    await say(key, 'sk-secret');
    await page.getByText('key in the system keyring').waitFor();
    assert.equal((await page.content()).includes('sk-secret'), false);
    const sent = (await calls(page, 'connect_model')).at(-1).args;
    assert.equal(sent.key, 'sk-secret');
    assert.equal(JSON.stringify(sent.connection).includes('sk-secret'), false);
    await end(page);
  });
});
