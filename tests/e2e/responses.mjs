// Measures in the real window, with 10,000 mails, tasks and notes, how long a person waits after a press: for a sum, an
// approved action, Stop, a surface, and what the palette finds.
// Measures by the page's clock, from the press to the frame that shows the result the engine sent.
// Usage: tests/e2e/responses APP CLI [RUNS]

import { App, Key } from './lib/app.mjs';
import { Machine } from './lib/machine.mjs';
import { many } from './lib/many.mjs';
import { ModelServer } from './lib/model.mjs';
import { eventually } from './lib/wait.mjs';

const [, , runs = '30'] = process.argv.slice(2);
const RUNS = Number(runs);

/** Keys of the surfaces, with what is there once their rows are. */
const SURFACES = {
  Today: { key: '2', shown: '.tasks .task' },
  Tasks: { key: '5', shown: '.rows [data-row] .task' },
  Mail: { key: '6', shown: '.rows [data-row] .mrow' },
  Notes: { key: '7', shown: '.rows [data-row] a.item' },
};
/** Letters that begin something in the data. */
const LETTERS = 'rltgbcs';
/** The key of the conversation. */
const CHAT = '1';

/** Bounds at 95 %, in milliseconds. */
const BOUNDS = {
  'Enter to the message in the conversation': 50,
  'Enter to the answer': 120,
  'Approve to the reply: claimed': 100,
  'Approve to the receipt': 100,
  'Stop everything to the reply: stopped': 200,
  'Stop everything to the end of the answer': 200,
  'palette, ready to type': 50,
  'palette, results after a letter': 30,
  ...Object.fromEntries(Object.keys(SURFACES).map((name) => [`open ${name}`, 100])),
};

const times = Object.fromEntries(Object.keys(BOUNDS).map((name) => [name, []]));
const machine = await Machine.start();
const model = await ModelServer.start();
Object.assign(machine.env, { ADJUTANT_MODEL_URL: model.url, ADJUTANT_MODEL: 'tiny' });
const imported = await machine.cli('import', many(machine));
if (imported.code !== 0) throw new Error(imported.stderr);
const app = await App.open(machine);
try {
  await app.go('chat/main');
  await hearReplies();
  await answers();
  await approvals();
  await stops();
  await surfaces();
  await palette();
} finally {
  await app.close();
  await model.stop();
  await machine.stop();
}

const ranked = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
for (const [name, bound] of Object.entries(BOUNDS)) {
  const values = times[name];
  const p95 = ranked(values, 0.95);
  if (p95 > bound) process.exitCode = 1;
  console.log(
    `${name}: median ${ranked(values, 0.5).toFixed(0)} ms, 95 % ${p95.toFixed(0)} ms (at most ${bound}), ` +
      `${values.length} times ${p95 > bound ? 'FAILED' : 'ok'}`,
  );
}

async function answers() {
  const fresh = 211;
  for (let run = 1; run <= RUNS; run += 1) {
    const sum = `${fresh} + ${run}`;
    await app.write('Message Adjutant', `what is ${sum}`);
    await watch('keydown', { message: `what is ${sum}`, answer: String(fresh + run) });
    await app.press(Key.ENTER);
    const { message, answer } = await watched();
    times['Enter to the message in the conversation'].push(message);
    times['Enter to the answer'].push(answer);
  }
}

async function approvals() {
  for (let run = 1; run <= RUNS; run += 1) {
    const title = `Errand ${run}x`;
    await machine.cli('ask', `Add a task “${title}”`);
    await app.ask(`Delete the task “${title}”`);
    const button = await app.still('Approve');
    await watch('click', { receipt: `Deleted the task “${title}”` }, {}, {}, { claimed: 'approve' });
    await button.click();
    const { claimed, receipt } = await watched();
    times['Approve to the reply: claimed'].push(claimed);
    times['Approve to the receipt'].push(receipt);
  }
}

async function stops() {
  for (let run = 1; run <= RUNS; run += 1) {
    model.asked = [];
    model.hold();
    await app.write('Message Adjutant', `Why is the sky blue on day ${run}?`, Key.ENTER);
    await eventually(() => model.asked.includes('respond'), 'the model is asked');
    const button = await app.button('Stop everything');
    await watch('click', { report: 'Stopped here by you.' }, {}, {}, { stopped: 'interrupt' });
    await button.click();
    const { stopped, report } = await watched();
    times['Stop everything to the reply: stopped'].push(stopped);
    times['Stop everything to the end of the answer'].push(report);
    model.goOn();
  }
}

async function surfaces() {
  for (const [name, { key, shown }] of Object.entries(SURFACES)) {
    // The first time also loads the surface's code.
    for (let run = 0; run <= RUNS; run += 1) {
      await chord(CHAT);
      await eventually(async () => !(await app.driver.executeScript('return document.querySelector(arguments[0])', shown)), 'the conversation');
      await watch('keydown', {}, { [name]: shown });
      await chord(key);
      const time = (await watched())[name];
      if (run > 0) times[`open ${name}`].push(time);
    }
  }
}

async function palette() {
  const field = '[role=dialog] input:focus, dialog input:focus';
  for (let run = 0; run <= RUNS; run += 1) {
    await watch('keydown', {}, { field });
    await chord('k');
    const { field: open } = await watched();
    if (run > 0) times['palette, ready to type'].push(open);
    await app.settle();
    await watch('keydown', {}, {}, { results: '[role=listbox]' });
    await app.press(LETTERS[run % LETTERS.length]);
    const { results } = await watched();
    if (run > 0) times['palette, results after a letter'].push(results);
    await app.press(Key.ESCAPE);
    await app.settle();
  }
}

function chord(key) {
  return app.driver.actions().keyDown(Key.CONTROL).sendKeys(key).keyUp(Key.CONTROL).perform();
}

/** Makes the page report each reply of the engine: Tauri fetches them. */
function hearReplies() {
  return app.driver.executeScript(
    `const plain = window.fetch;
     window.fetch = async (...asked) => {
       const reply = await plain.apply(window, asked);
       const { request } = typeof asked[1]?.body === 'string' ? JSON.parse(asked[1].body) : {};
       dispatchEvent(new CustomEvent('replied', { detail: request?.op }));
       return reply;
     };`,
  );
}

/**
 * From the next input of a kind, measures until each text occurs once more than now, something matches each selector,
 * and the text of what matches each of `changing` is another one; and until that is painted. For each of `replies`, until
 * the engine has replied to that request.
 */
function watch(type, texts, selectors = {}, changing = {}, replies = {}) {
  return app.driver.executeScript(
    `const [type, texts, selectors, changing, replies] = arguments;
     const count = (text) => document.body.textContent.split(text).length - 1;
     const before = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, count(text)]));
     const checks = new Map([
       ...Object.entries(texts).map(([name, text]) => [name, () => count(text) > before[name]]),
       ...Object.entries(selectors).map(([name, selector]) => [name, () => document.querySelector(selector) !== null]),
       ...Object.entries(changing).map(([name, selector]) => {
         const text = () => document.querySelector(selector)?.textContent ?? '', old = text();
         return [name, () => text() !== old];
       }),
     ]);
     const wanted = checks.size + Object.keys(replies).length;
     window.measured = new Promise((done) => {
       const heard = (event) => {
         if (event.key === 'Control') return;
         removeEventListener(type, heard, { capture: true });
         const begun = event.timeStamp, found = {};
         const note = (name) => {
           found[name] = performance.now() - begun;
           if (Object.keys(found).length === wanted) done(found);
         };
         const painted = (name) => requestAnimationFrame(() => {
           const { port1, port2 } = new MessageChannel();
           port1.onmessage = () => note(name);
           port2.postMessage(null);
         });
         for (const [name, op] of Object.entries(replies)) {
           const replied = (event) => {
             if (event.detail !== op) return;
             removeEventListener('replied', replied);
             note(name);
           };
           addEventListener('replied', replied);
         }
         const look = () => {
           for (const [name, check] of [...checks]) if (check()) { checks.delete(name); painted(name); }
           if (checks.size === 0) observer.disconnect();
         };
         const observer = new MutationObserver(look);
         observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
       };
       addEventListener(type, heard, { capture: true });
     });`,
    type,
    texts,
    selectors,
    changing,
    replies,
  );
}

function watched() {
  return app.driver.executeAsyncScript('const done = arguments[0]; window.measured.then(done)');
}
