// Measures the window with 10,000 rows of each kind: node measure.mjs [RUNS]
// Measures from the key press to the frame in which the result is painted, by the page's own clock. The in-memory host
// answers in the same page, so the time to filter and copy its rows is included.
import { launch, open, serve, settle } from './lib.mjs';

const RUNS = Number(process.argv[2] ?? 5);
const SURFACES = { chat: 1, today: 2, tasks: 5, mail: 6, notes: 7, memory: 9 };
const WHEEL_STEPS = 120;
const WHEEL_PX = 240;
const FRAME_MS = 16.7;

const FLOORS = {
  'open Today': 100,
  'open Tasks': 100,
  'open Mail': 100,
  'open Notes': 100,
  'open Memory': 100,
  'palette to its field': 50,
  'palette to results': 30,
  'a conversation of 60 turns': 200,
};
/** Selector of each surface's list once its rows are there. */
const SHOWN = {
  today: '.tasks .task',
  tasks: '.rows [data-row] .task',
  mail: '.rows [data-row] .mrow',
  notes: '.rows [data-row] a.item',
  memory: '.rows [data-row] a.item',
};

const ranked = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
const median = (values) => ranked(values, 0.5);
const p95 = (values) => ranked(values, 0.95);

/** Returns the milliseconds from the next input of a kind until what the selector matches is painted. */
async function until(page, type, selector, press) {
  await page.evaluate(
    ([type, selector]) => {
      window.measured = new Promise((done) => {
        addEventListener(
          type,
          (event) => {
            const begun = event.timeStamp;
            const look = () => {
              if (!document.querySelector(selector)) return;
              watch.disconnect();
              // The frame is about to be drawn; the task after it runs when it is painted.
              requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => done(performance.now() - begun);
                port2.postMessage(null);
              });
            };
            const watch = new MutationObserver(look);
            watch.observe(document.body, { childList: true, subtree: true, attributes: true });
          },
          { capture: true, once: true },
        );
      });
    },
    [type, selector],
  );
  const before = await processor();
  await press();
  const shown = await page.evaluate(() => window.measured);
  return { shown, worked: (await processor()) - before };
}

async function surface(page, name) {
  await page.keyboard.press(`Control+${SURFACES.chat}`);
  await page.waitForFunction((shown) => !document.querySelector(shown), SHOWN[name]);
  return until(page, 'keydown', SHOWN[name], () => page.keyboard.press(`Control+${SURFACES[name]}`));
}

async function palette(page) {
  const open = await until(page, 'keydown', '[role=dialog] input:focus, dialog input:focus', () =>
    page.keyboard.press('Control+k'),
  );
  const results = [];
  for (const letter of 'raj') {
    const before = await page.locator('[role=listbox]').innerText();
    results.push(await until(page, 'keydown', '[role=listbox] [role=option]', () => page.keyboard.press(letter)));
    await page.waitForFunction((before) => document.querySelector('[role=listbox]')?.innerText !== before, before);
  }
  await page.keyboard.press('Escape');
  return { open, results };
}

async function conversation(page) {
  await page.keyboard.press(`Control+${SURFACES.notes}`);
  await page.waitForSelector(SHOWN.notes);
  // What the surface draws later is no part of opening the conversation.
  await settle(page);
  return until(page, 'hashchange', '.talk > .reply:nth-last-child(1 of .reply)', () =>
    page.evaluate(() => (location.hash = '#/chat/c-long')),
  );
}

/** Returns the time between frames while a list is scrolled with the wheel. */
async function scroll(page, name) {
  await page.keyboard.press(`Control+${SURFACES[name]}`);
  await page.waitForSelector(SHOWN[name]);
  const box = await page.locator('.list').first().boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const look = (now) => {
      window.frames_.push(now - last);
      last = now;
      window.watching = requestAnimationFrame(look);
    };
    window.watching = requestAnimationFrame(look);
  });
  for (let step = 0; step < WHEEL_STEPS; step += 1) await page.mouse.wheel(0, WHEEL_PX);
  return page.evaluate(() => {
    cancelAnimationFrame(window.watching);
    return window.frames_.slice(2);
  });
}

function say(what, values, floor, of = median, word = 'median') {
  const figure = of(values);
  console.log(
    `${what}: ${figure.toFixed(1)} ms (${word} of ${values.length}), floor ${floor} ms ${Number(figure.toFixed(1)) <= floor ? 'ok' : 'ABOVE'}`,
  );
}

const server = await serve();
const browser = await launch();
const page = await open(browser.context, server.url, { fake: 'huge', pace: 0 });
const devtools = await browser.context.newCDPSession(page);
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
/** Returns the processor time of the page's thread in milliseconds, which excludes the delays of a busy machine. */
async function processor() {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * metrics.find((one) => one.name === 'TaskDuration').value;
}
const found = new Map(Object.keys(FLOORS).map((name) => [name, []]));
const add = (name, value) => found.get(name).push(value);
// The first run of each also loads its code, as in the app, and is reported separately.
for (let run = 0; run <= RUNS; run += 1) {
  const figures = {};
  for (const name of Object.keys(SHOWN)) figures[name] = await surface(page, name);
  const { open: opened, results } = await palette(page);
  const long = await conversation(page);
  if (run === 0) {
    const first = Object.entries(figures).map(([name, value]) => `${name} ${value.shown.toFixed(0)}`);
    console.log(`first time of each, with its code: ${first.join(', ')}, conversation ${long.shown.toFixed(0)} ms`);
    continue;
  }
  for (const [name, value] of Object.entries(figures)) add(`open ${name[0].toUpperCase()}${name.slice(1)}`, value);
  add('palette to its field', opened);
  for (const value of results) add('palette to results', value);
  add('a conversation of 60 turns', long);
}
for (const [name, values] of found) {
  const part = name === 'palette to results' ? [p95, '95 %'] : [median, 'median'];
  const worked = median(values.map((one) => one.worked));
  const shown = values.map((one) => one.shown);
  say(`${name} (processor ${worked.toFixed(1)} ms)`, shown, FLOORS[name], ...part);
}
for (const name of ['tasks', 'mail', 'notes'])
  say(`frames while scrolling ${name}`, await scroll(page, name), FRAME_MS);
if (page.problems.length > 0) console.error(page.problems);
await browser.close();
await server.close();
