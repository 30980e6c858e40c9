// The pictures of README and docs, of the window itself with made-up data: scripts/images
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, open, serve, settle } from './lib.mjs';

const FOLDER = fileURLToPath(new URL('../../docs/images', import.meta.url));
/** Size of a window on a desktop. */
const SIZE = { width: 1200, height: 750 };

const PICTURES = [
  { name: 'chat', at: 'chat/main', fake: 'one', ready: '.ask' },
  { name: 'today', at: 'today', fake: 'populated', ready: '.slot' },
  { name: 'calendar', at: 'calendar/week-2026-01-13', fake: 'populated', ready: '.wk .blk' },
  { name: 'approvals', at: 'approvals', fake: 'populated', ready: '.ask' },
];

const server = await serve();
const browser = await launch();
await mkdir(FOLDER, { recursive: true });
for (const { name, ready, ...screen } of PICTURES) {
  for (const theme of ['light', 'dark']) {
    const page = await open(browser.context, server.url, { ...screen, theme, size: SIZE });
    await page.locator(ready).first().waitFor();
    await settle(page);
    await page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`) });
    if (page.problems.length > 0) throw new Error(`${name} ${theme}: ${page.problems.join(', ')}`);
    await page.close();
  }
}
await browser.close();
await server.close();
