// Screenshots of every screen, for looking at: node shots.mjs [filter]
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SCREENS } from './screens.mjs';
import { launch, open, serve, settle, SHOTS, SIZES } from './lib.mjs';

const filter = process.argv[2] ?? '';
const server = await serve();
const browser = await launch();
await mkdir(SHOTS, { recursive: true });
for (const screen of SCREENS) {
  for (const theme of ['light', 'dark']) {
    for (const size of screen.sizes ?? Object.keys(SIZES)) {
      const name = `${screen.name}-${theme}-${size}`;
      if (!name.includes(filter)) continue;
      const page = await open(browser.context, server.url, {
        ...screen,
        theme,
        size,
      });
      await screen.ready(page);
      await settle(page);
      await page.screenshot({ path: join(SHOTS, `${name}.png`) });
      if (page.problems.length > 0) console.error(name, page.problems);
      await page.close();
    }
  }
}
await browser.close();
await server.close();
