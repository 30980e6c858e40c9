// What every browser test needs: the built window on a loopback port, and the system's Chromium.
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
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

/** Serves `ui/dist-fake` on a free port. */
export async function serve() {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    try {
      const file = join(DIST, path === '/' ? 'index.html' : path);
      const body = await readFile(file);
      response.writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
      });
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
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
  { at = 'chat', fake = 'populated', theme = 'light', size = 'wide', pace = 1, query = '' } = {},
) {
  const page = await context.newPage();
  // As in the app's window, where nothing may add to what every object has.
  await page.addInitScript(() => Object.freeze(Object.prototype));
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') page.problems.push(message.text());
  });
  await page.setViewportSize(SIZES[size] ?? QUICK[size] ?? size);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.goto(`${base}/?fake=${fake}&theme=${theme}&pace=${pace}${query}#/${at}`);
  await page.waitForSelector('#app[data-ready], #app > .win:not([aria-busy])');
  return page;
}

/** Two frames, so that a screenshot shows what was just drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
}
