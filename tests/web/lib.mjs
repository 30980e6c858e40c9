// Helpers for all browser tests: the built window on a loopback port, the system's Chromium, and ways to wait for what
// the page shows.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, normalize, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const DIST = fileURLToPath(new URL('../../ui/dist-fake', import.meta.url));
export const SHOTS = fileURLToPath(new URL('./shots', import.meta.url));

/** Maximum time for the page to become what a test expects; generous, because machines that run tests are busy. */
const APPEAR_MS = 60_000;

/** Pause between two checks of the page. */
const LOOK_AGAIN_MS = 20;

/**
 * Reads from the page until the result is what is expected (a value, or a pattern for a text), and returns it. A page
 * draws some time after a key or click, so a single read right afterwards may still see the old state. If the expected
 * result never appears, the error is that of the last read.
 */
export async function eventually(read, expected) {
  const end = performance.now() + APPEAR_MS;
  for (;;) {
    const found = await read();
    try {
      if (expected instanceof RegExp) assert.match(found, expected);
      else assert.deepEqual(found, expected);
      return found;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await pause(LOOK_AGAIN_MS);
  }
}

/** Waits until this has the focus; an earlier key would go elsewhere. */
export async function waitFocused(locator) {
  await eventually(() => locator.evaluate((one) => one === document.activeElement), true);
}

/** Presses a key on it once it is enabled; busy elements ignore keys. */
export async function press(locator, key = 'Enter') {
  await eventually(() => locator.isEnabled(), true);
  await locator.press(key);
}

/** Writes into a field and submits it. */
export async function say(field, words) {
  await field.fill(words);
  await press(field);
}

/**
 * Watches, from now on, for words that may appear only for a moment and be missed by polling. Returns a function that
 * waits for them.
 */
export async function watchFor(page, selector, words) {
  const watched = await page.evaluateHandle(
    ([selector, words]) => {
      const state = { seen: false };
      const look = () => {
        state.seen ||= [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(words));
        if (state.seen) watch.disconnect();
      };
      const watch = new MutationObserver(look);
      watch.observe(document.body, { childList: true, subtree: true, characterData: true });
      look();
      return state;
    },
    [selector, words],
  );
  return () => eventually(() => watched.evaluate((state) => state.seen), true);
}

/** The same content policy as the app's, so that what it would refuse fails here first. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Serves `ui/dist-fake` on a free port. The files are read once: they do not change while tests run, and every page of
 * a test loads them again.
 */
export async function serve() {
  const files = new Map();
  for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(`/${relative(DIST, file).split(sep).join('/')}`, await readFile(file));
  }
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    const name = path === '/' ? '/index.html' : path;
    const body = files.get(name);
    if (body === undefined) {
      response.writeHead(404);
      response.end();
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'content-security-policy': POLICY,
      // Names of scripts and styles contain a hash of their content; the page itself is requested each time.
      'cache-control': name === '/index.html' ? 'no-store' : 'max-age=3600, immutable',
    });
    response.end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((done) => server.close(done)),
  };
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium with a temporary profile of its own. */
export async function launch() {
  const profile = await mkdtemp(join(tmpdir(), 'adjutant-web-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: FLAGS,
    locale: 'en-GB',
    timezoneId: 'America/New_York',
    timeout: APPEAR_MS,
  });
  context.setDefaultTimeout(APPEAR_MS);
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Factor by which to slow the browser down, to find tests that look before the page has drawn: `ADJUTANT_SLOW=6`. */
const SLOW = Number(process.env.ADJUTANT_SLOW ?? 1);

async function slowed(page) {
  if (SLOW <= 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW });
}

/** Window sizes of the three forms. */
export const SIZES = {
  wide: { width: 1280, height: 800 },
  medium: { width: 900, height: 640 },
  narrow: { width: 480, height: 760 },
};

/** Quick-ask has a size of its own. */
const QUICK = { quick: { width: 720, height: 420 } };

/**
 * Opens a place in the window. Errors on the page and refusals of the content policy are collected in `page.problems`,
 * which must be empty at the end of a test.
 */
export async function open(
  context,
  base,
  {
    at = 'chat',
    fake = 'populated',
    theme = 'light',
    size = 'wide',
    pace = 1,
    query = '',
    before = null,
    motion = 'reduce',
  } = {},
) {
  const page = await context.newPage();
  // As in the app's window, where nothing may extend the prototype of all objects.
  await page.addInitScript(() => Object.freeze(Object.prototype));
  // Code that has to run before the window draws anything.
  if (before) await page.addInitScript(before);
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') page.problems.push(message.text());
  });
  await slowed(page);
  await page.setViewportSize(SIZES[size] ?? QUICK[size] ?? size);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: motion });
  await page.goto(`${base}/?fake=${fake}&theme=${theme}&pace=${pace}${query}#/${at}`);
  await page.waitForSelector('#app[data-ready], #app > .win:not([aria-busy])');
  return page;
}

/** Number of pages checked at the same time. Two keep a second core busy; more would only wait for each other. */
export const AT_ONCE = 2;

/** Longer than Approve ignores input after a move: 600 ms, plus 100 until it notices the move. */
const STILL_MS = 800;

/**
 * Waits until the button has stood still for longer than its guard, by the page's own clock: whatever moves it restarts
 * the guard, however slow the machine is. Only looks, as a person does; the card has to notice its moves on its own.
 */
export async function passGuard(page, selector = '.approve') {
  await page.evaluate(
    ([selector, still, limit]) =>
      new Promise((done, fail) => {
        const begun = performance.now();
        let since = begun;
        let before = '';
        const look = () => {
          const box = document.querySelector(selector)?.getBoundingClientRect();
          const now = box ? [box.right, box.top, box.height].map(Math.round).join() : '';
          if (now !== before || now === '') since = performance.now();
          before = now;
          if (performance.now() - since > still) done();
          else if (performance.now() - begun > limit) fail(new Error(`${selector} never stood still; last at ${now}`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    [selector, STILL_MS, APPEAR_MS],
  );
}

/** Drags files with these names over the window, and drops them if `drop` is set. */
export async function drag(page, names, { drop = true } = {}) {
  await page.evaluate(
    ([names, drop]) => {
      const dataTransfer = new DataTransfer();
      for (const name of names) dataTransfer.items.add(new File(['x'], name));
      const fire = (type) =>
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      fire('dragenter');
      fire('dragover');
      if (drop) fire('drop');
    },
    [names, drop],
  );
}

/** Connects remote models with these names and this price per million tokens in and out; 0 means free. */
export const connectPriced = (page, names, units) =>
  page.evaluate(
    ([names, units]) => {
      const { world } = window.fake;
      const rest = { kind: 'compatible', base_url: 'https://lab.example/v1', embedding: null, headers: {}, proxy: '' };
      const price = units * 1_000_000;
      for (const name of names) {
        const model = world.models.model('large');
        const free = units === 0;
        const standard = { ...model, free, input_micros_per_million: price, output_micros_per_million: price };
        world.models.connect({ ...rest, name, models: { standard } }, null);
      }
      world.changed('settings');
    },
    [names, units],
  );

/**
 * Shared by the tests of a surface: one server and one browser, with a page per test that must have no problems at its
 * end.
 */
export function harness({ before, after }) {
  let server, browser;
  before(async () => {
    server = await serve();
    browser = await launch();
  });
  after(async () => {
    await browser.close();
    await server.close();
  });
  const calls = (page, op) => page.evaluate((op) => window.fake.calls.filter((call) => call.op === op), op);
  return {
    start: (options) => open(browser.context, server.url, { pace: 0.05, ...options }),
    /** Returns a page on which nothing was opened yet, and the address of the window. */
    blank: async () => ({ page: await browser.context.newPage(), url: server.url }),
    calls,
    /** Returns how often the engine received this request. */
    called: async (page, op) => (await calls(page, op)).length,
    applied: async (page) => (await calls(page, 'apply')).map(({ args }) => [args.tool, args.args]),
    place: (page) => page.evaluate(() => location.hash),
    focused: (page) =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '',
      ),
    toast: (page, words) => page.locator('.toast').getByText(words).waitFor(),
    /**
     * Focuses and returns the Undo button of the toast with these words. The focus keeps the toast for as long as the
     * test takes.
     */
    undo: async (page, words) => {
      const button = page.locator('.toast', { hasText: words }).getByRole('button', { name: 'Undo' });
      await button.focus();
      await waitFocused(button);
      return button;
    },
    end: async (page) => {
      if (page.problems.length > 0) throw new Error(page.problems.join('\n'));
      await page.close();
    },
  };
}

/**
 * Waits until everything that keys and changes have set in motion inside the page has been handled and drawn, and
 * stands still: two frames, and the end of fades and moves. Used before a screenshot, and before claiming that
 * something did not happen.
 */
export async function settle(page) {
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
    const moving = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map((one) => one.finished));
  });
}
