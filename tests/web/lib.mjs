// What every browser test needs: the built window on a loopback port, and the system's Chromium.
import { createServer } from 'node:http';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const DIST = fileURLToPath(new URL('../../ui/dist-fake', import.meta.url));
export const SHOTS = fileURLToPath(new URL('./shots', import.meta.url));

/** The same policy as the app's, so that what it would refuse fails here first. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Serves `ui/dist-fake` on a free port. Read once: it does not change while tests run, and every page of a test loads it anew. */
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
      // Names of scripts and styles carry their content; the page itself is asked for each time.
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

/** Chromium with a profile of its own, gone afterwards. */
export async function launch() {
  const profile = await mkdtemp(join(tmpdir(), 'adjutant-web-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: FLAGS,
    locale: 'en-GB',
    timezoneId: 'America/New_York',
  });
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Window sizes of the three forms, and of quick-ask. */
export const SIZES = {
  wide: { width: 1280, height: 800 },
  medium: { width: 900, height: 640 },
  narrow: { width: 480, height: 760 },
};

/** Quick-ask has a size of its own. */
const QUICK = { quick: { width: 720, height: 420 } };

/**
 * Opens a place of the window. Errors on the page and refusals of the content policy are collected and must be empty at the
 * end of a test (`page.problems`).
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
  // As in the app's window, where nothing may add to what every object has.
  await page.addInitScript(() => Object.freeze(Object.prototype));
  // What has to be there before the window draws anything.
  if (before) await page.addInitScript(before);
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') page.problems.push(message.text());
  });
  await page.setViewportSize(SIZES[size] ?? QUICK[size] ?? size);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: motion });
  await page.goto(`${base}/?fake=${fake}&theme=${theme}&pace=${pace}${query}#/${at}`);
  await page.waitForSelector('#app[data-ready], #app > .win:not([aria-busy])');
  return page;
}

/** Pages that are looked at at the same time: two keep a second core busy, more only wait for each other. */
export const AT_ONCE = 2;

/**
 * Waits until the button has stood still for longer than the guard of 600 ms, by the page's own clock: whatever moves it
 * starts the guard again, however slow the machine is.
 */
export async function passGuard(page, selector = '.approve') {
  await page.evaluate(
    ([selector, longer]) =>
      new Promise((done) => {
        let since = performance.now();
        let before = '';
        const look = () => {
          const box = document.querySelector(selector)?.getBoundingClientRect();
          const now = box ? [box.right, box.bottom].map(Math.round).join() : '';
          if (now !== before) since = performance.now();
          before = now;
          if (performance.now() - since > longer) done();
          else requestAnimationFrame(look);
        };
        look();
      }),
    [selector, 650],
  );
}

/** Drags files of these names over the window, and drops them unless it is only about the dragging. */
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

/** What the tests of a surface share: one server and one browser, a page each, nothing wrong on it at its end. */
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
    calls,
    applied: async (page) => (await calls(page, 'apply')).map(({ args }) => [args.tool, args.args]),
    place: (page) => page.evaluate(() => location.hash),
    focused: (page) =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '',
      ),
    toast: (page, words) => page.locator('.toast').getByText(words).waitFor(),
    end: async (page) => {
      if (page.problems.length > 0) throw new Error(page.problems.join('\n'));
      await page.close();
    },
  };
}

/** Two frames, so that a screenshot shows what was just drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
}
